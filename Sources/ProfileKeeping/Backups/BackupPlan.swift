package import MergeCore

/// The plan for one backup of a profile: the pools that a new backup is for, and the backups that can be removed once
/// it is durable.
///
/// It is a pure function of the stored backups, the time, the local day and the occasion. Which backup is the *newest*
/// follows from the order in which they were made and never from a clock. So a clock that is set back cannot make the
/// newest look old. Days that a wrong clock made up are dropped after as many real ones.
package struct BackupPlan: Hashable, Sendable {
    package enum Occasion: Hashable, Sendable {
        /// The profile is about to change.
        case change
        /// A save of the game was put aside, or some of its values do not count: they may be nowhere but in its backup.
        case putAside
        /// A new day may have begun.
        case dayPassed
    }

    /// The time without a change after which the next one begins a session.
    package static let quietTime = Duration.seconds(30 * 60)

    /// Most backups of one session that the pool takes: the state before it, and what was put aside in it. A game may lose
    /// with every save for a while, and must not push out the former sessions.
    private static let sessionLimit = 2

    /// The pools that the new backup is for; empty where none is to be made.
    package var pools: BackupPools
    /// The day that the backup is the daily one of; `nil` where it is none.
    package var day: LocalDay?
    /// Whether to mark the newest backup for the pools instead of making another one, since it holds the same bytes.
    package var marksNewest: Bool
    /// The names of backups to remove. They may be removed only after the new backup is durable.
    package var removals: [String]

    /// - Parameters:
    ///   - stored: Everything in the profile's folder, in the order in which it was made.
    ///   - asked: The names of the backups that hold saves about which the player is asked. They stay, and count in no
    ///     pool.
    ///   - day: The local day, where the caller knows it. Without it no backup is daily.
    ///   - holdsSame: Whether a backup holds exactly the bytes that are to be kept. Called for the newest backup at
    ///     most.
    package init(
        _ occasion: Occasion, stored: [StoredBackup], asked: Set<String> = [], now: WallTime, day: LocalDay?,
        holdsSame: (StoredBackup) -> Bool
    ) {
        var stored = stored
        for index in stored.indices where asked.contains(stored[index].name) { stored[index].note.isPinned = true }
        pools = occasion == .dayPassed ? [] : .changes
        switch occasion {
        case .change: if Self.isQuiet(stored, now: now) { pools.insert(.sessions) }
        // The backups of the next changes would soon push it out, and what it holds may be nowhere else.
        case .putAside: if Self.hasRoom(stored, now: now) { pools.insert(.sessions) }
        case .dayPassed: break
        }
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

    /// Whether no change came for ``quietTime``. After a clock was set back this cannot be known; then it counts as
    /// quiet. One session too many costs the oldest session, but one too few costs the state before the session.
    private static func isQuiet(_ stored: [StoredBackup], now: WallTime) -> Bool {
        let last = stored.last { $0.condition == .good && $0.note.pools.contains(.changes) }
        guard let last, now >= last.note.time else { return true }
        return now - last.note.time >= quietTime
    }

    /// Whether the present session has less than ``sessionLimit`` backups in its pool.
    private static func hasRoom(_ stored: [StoredBackup], now: WallTime) -> Bool {
        let ofSession = held(by: .sessions, in: stored).filter { index in
            let time = stored[index].note.time
            return now >= time && now - time < quietTime
        }
        return ofSession.count < sessionLimit
    }

    /// The indexes in `stored` of the backups that a pool holds, the newest first.
    package static func held(by pool: BackupPools, in stored: [StoredBackup]) -> [Int] {
        var held: [Int] = []
        var days: Set<LocalDay> = []
        for index in stored.indices.reversed() where held.count < pool.limit {
            let backup = stored[index]
            guard backup.condition == .good, !backup.note.isPinned, backup.note.pools.contains(pool) else { continue }
            // A day has one backup in the pool. Of two of the same day, the later one counts.
            if pool == .daily, let day = backup.note.day, !days.insert(day).inserted { continue }
            held.append(index)
        }
        return held
    }

    /// The pools that hold each of the backups. Empty for one that only a pin keeps, or that cannot be used.
    package static func holders(of stored: [StoredBackup]) -> [BackupPools] {
        var holders = Array(repeating: BackupPools(), count: stored.count)
        for pool in [.changes, .sessions, .daily] as [BackupPools] {
            for index in held(by: pool, in: stored) { holders[index].insert(pool) }
        }
        return holders
    }

    /// The names of the backups that no pool holds. Pinned ones stay. Backups of a newer version of Hearth stay, and
    /// locked ones, whose key may come back. Damaged ones stay too: they may have been pinned, and the player may want
    /// to look at them.
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
    /// The same note with more pools. A day that is set already stays.
    package func joined(_ pools: BackupPools, day: LocalDay?) -> BackupNote {
        var note = self
        note.pools.formUnion(pools)
        note.day = note.day ?? day
        return note
    }
}
