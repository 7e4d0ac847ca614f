import MergeCore
import ProfileKeeping

/// A backup folder in a table, a clock and a calendar, all moved by hand.
struct BackupClock {
    /// Milliseconds since 1970.
    var now: Int64
    /// Minutes by which the player's clock is ahead of Greenwich, at a time.
    var offset: @Sendable (Int64) -> Int64 = { _ in 0 }
    private(set) var stored: [StoredBackup] = []
    /// What each stored backup holds.
    private(set) var contents: [String: Int] = [:]
    /// Every name that was ever removed, in order.
    private(set) var removed: [String] = []
    private var made = 0

    static let minute: Int64 = 60_000
    static let hour = 60 * minute
    static let day = 24 * hour

    /// - Parameter time: Such as (2026, 11, 21, 23, 59), at Greenwich.
    init(_ time: (Int, Int, Int, Int, Int)) { now = Self.time(time) }

    static func time(_ time: (Int, Int, Int, Int, Int)) -> Int64 {
        Int64(days(time.0, time.1, time.2)) * day + Int64(time.3) * hour + Int64(time.4) * minute
    }

    var today: LocalDay { Self.date(now + offset(now) * Self.minute) }

    /// The game is about to change what was `content`. Returns the pools of the backup.
    @discardableResult
    mutating func change(_ content: Int) -> BackupPools { keep(.change, content, day: nil) }

    /// The shell looks at the calendar. Returns whether a daily backup was made.
    @discardableResult
    mutating func look(_ content: Int = 0) -> Bool { keep(.dayPassed, content, day: today).contains(.daily) }

    mutating func pin(_ index: Int, _ isPinned: Bool = true) { stored[index].note.isPinned = isPinned }

    mutating func damage(_ index: Int) { stored[index].condition = .damaged("it is damaged") }

    @discardableResult
    mutating func keep(_ occasion: BackupPlan.Occasion, _ content: Int, day: LocalDay?) -> BackupPools {
        let plan = BackupPlan(occasion, stored: stored, now: WallTime(milliseconds: now), day: day) {
            contents[$0.name] == content
        }
        guard !plan.pools.isEmpty else { return [] }
        if plan.marksNewest {
            stored[stored.count - 1].note = stored[stored.count - 1].note.joined(plan.pools, day: plan.day)
        } else {
            made += 1
            let note = BackupNote(time: WallTime(milliseconds: now), pools: plan.pools, day: plan.day)
            stored.append(StoredBackup(name: "\(made)", note: note, size: 1))
            contents["\(made)"] = content
        }
        removed += plan.removals
        stored.removeAll { plan.removals.contains($0.name) }
        return plan.pools
    }

    /// The days that the daily pool holds, oldest first, such as 1121.
    var days: [Int] {
        BackupPlan.held(by: .daily, in: stored).reversed().compactMap { stored[$0].note.day }
            .map { $0.month * 100 + $0.day }
    }

    func contents(_ pool: BackupPools) -> [Int] {
        BackupPlan.held(by: pool, in: stored).reversed().compactMap { contents[stored[$0].name] }
    }

    // MARK: The calendar (H. Hinnant, chrono-compatible Low-Level Date Algorithms)

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    static func date(_ time: Int64) -> LocalDay {
        let days = Int((Double(time) / Double(day)).rounded(.down)) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let ofEra = days - era * 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let real = month < 10 ? month + 3 : month - 9
        return LocalDay(year: year + era * 400 + (real <= 2 ? 1 : 0), month: real, day: day)!
    }
}
