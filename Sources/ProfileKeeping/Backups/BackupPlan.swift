/// Which pools a new backup is for, and which backups nobody needs any more once it is durable.
///
/// A pure function of what is stored, the time, the local day and what happened. What is *newest* follows from the
/// order in which backups were made and never from a clock, so a clock that is set back cannot make the newest look
/// old, and days that a wrong clock dreamt up leave after as many real ones.
package struct BackupPlan: Hashable, Sendable {
    package enum Occasion: Hashable, Sendable {
        /// The profile is about to change.
        case change
        /// A look at the calendar: midnight may have passed.
        case dayPassed
    }

    /// Milliseconds without a change after which the next one begins a session.
    package static let quietTime: Int64 = 30 * 60_000

    /// What the backup is for; empty where none is to be made.
    package var pools: BackupPools
    /// The day it stands for, where it is a daily one.
    package var day: LocalDay?
    /// Whether the newest backup is to be marked instead of making another: it holds the very bytes.
    package var marksNewest: Bool
    /// Names to remove, after the backup is durable and never before.
    package var removals: [String]

    /// - Parameters:
    ///   - stored: Everything in the profile's folder, in the order in which it was made.
    ///   - asked: The one that holds a save of which the player is asked: it stays, and counts in no pool.
    ///   - now: Milliseconds since 1970.
    ///   - day: The local day, where the shell knows it; without it nothing is daily.
    ///   - holdsSame: Whether a backup holds the very bytes that are to be kept. Asked of the newest at most.
    package init(
        _ occasion: Occasion, stored: [StoredBackup], asked: String? = nil, now: Int64, day: LocalDay?,
        holdsSame: (StoredBackup) -> Bool
    ) {
        var stored = stored
        for index in stored.indices where stored[index].name == asked { stored[index].note.isPinned = true }
        pools = occasion == .change ? .changes : []
        if occasion == .change, Self.isQuiet(stored, now: now) { pools.insert(.sessions) }
        if let day, !stored.contains(where: { $0.isDaily(of: day) }) { pools.insert(.daily) }
        self.day = pools.contains(.daily) ? day : nil
        guard !pools.isEmpty else {
            (marksNewest, removals) = (false, [])
            return
        }
        var after = stored
        if let newest = stored.last, newest.condition == .good, !newest.note.isPinned,
            self.day == nil || newest.note.day == nil, holdsSame(newest)
        {
            marksNewest = true
            after[after.count - 1].note = newest.note.joined(pools, day: self.day)
        } else {
            marksNewest = false
            after.append(StoredBackup(name: "", note: BackupNote(time: now, pools: pools, day: self.day), size: nil))
        }
        removals = Self.surplus(after)
    }

    /// Whether no change came for long enough. A clock that was set back tells nothing: then it counts as quiet, since
    /// a session too many costs the oldest one, and one too few the state before the session.
    private static func isQuiet(_ stored: [StoredBackup], now: Int64) -> Bool {
        let last = stored.last { $0.condition == .good && $0.note.pools.contains(.changes) }
        guard let last, now >= last.note.time else { return true }
        let (elapsed, overflow) = now.subtractingReportingOverflow(last.note.time)
        return overflow || elapsed >= quietTime
    }

    /// The places in `stored` that a pool holds.
    package static func held(by pool: BackupPools, in stored: [StoredBackup]) -> [Int] {
        var held: [Int] = []
        var days: Set<LocalDay> = []
        for index in stored.indices.reversed() where held.count < pool.limit {
            let backup = stored[index]
            guard backup.condition == .good, !backup.note.isPinned, backup.note.pools.contains(pool) else { continue }
            // A day has one backup; of two the later stands for it.
            if pool == .daily, let day = backup.note.day, !days.insert(day).inserted { continue }
            held.append(index)
        }
        return held
    }

    /// The pools that hold each of the backups; none where a pin alone does, or it cannot be used.
    package static func holders(of stored: [StoredBackup]) -> [BackupPools] {
        var holders = Array(repeating: BackupPools(), count: stored.count)
        for pool in [.changes, .sessions, .daily] as [BackupPools] {
            for index in held(by: pool, in: stored) { holders[index].insert(pool) }
        }
        return holders
    }

    /// What no pool holds. Pinned ones stay, newer versions' too, locked ones, whose key may come back, and damaged ones:
    /// whether those were pinned cannot be told, and somebody may want to look at them.
    private static func surplus(_ stored: [StoredBackup]) -> [String] {
        var held: Set<Int> = []
        for pool in [.changes, .sessions, .daily] as [BackupPools] { held.formUnion(self.held(by: pool, in: stored)) }
        return stored.indices.filter { index in
            !held.contains(index) && !stored[index].note.isPinned && stored[index].condition == .good
        }.map { stored[$0].name }
    }
}

extension StoredBackup {
    fileprivate func isDaily(of day: LocalDay) -> Bool {
        condition == .good && note.pools.contains(.daily) && note.day == day
    }
}

extension BackupNote {
    /// The same backup, for more pools.
    package func joined(_ pools: BackupPools, day: LocalDay?) -> BackupNote {
        var note = self
        note.pools.formUnion(pools)
        note.day = note.day ?? day
        return note
    }
}
