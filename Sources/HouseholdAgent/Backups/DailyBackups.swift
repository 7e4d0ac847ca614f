import MergeCore
import ProfileKeeping

/// Which saves still lack their backup of this day.
///
/// A backup is written and made durable, which takes tens of milliseconds on a slow disk, and nothing else happens
/// meanwhile. So they are made a few at a time, and events that come between have their turn.
struct DailyBackups {
    /// The most backups of one event.
    static let turn = 4
    /// The time between two such events.
    static let pause = Duration.milliseconds(100)

    /// The local day at this device, once it is known.
    private(set) var day: LocalDay?
    private var waiting: ArraySlice<ProfileID> = []
    /// When the next backups are made; `nil` where every save has its own.
    private(set) var deadline: MonotonicTime?

    /// Begins a day. What was left of the day before is a part of it.
    mutating func begin(_ day: LocalDay, for profiles: [ProfileID], now: MonotonicTime) {
        self.day = day
        waiting = profiles[...]
        deadline = waiting.isEmpty ? nil : now
    }

    /// The day, and the saves that get their backup now; `nil` if it is not time.
    mutating func takeTurn(now: MonotonicTime) -> (day: LocalDay, profiles: ArraySlice<ProfileID>)? {
        guard let day, let due = deadline, due <= now else { return nil }
        let profiles = waiting.prefix(Self.turn)
        waiting.removeFirst(profiles.count)
        deadline = waiting.isEmpty ? nil : now + Self.pause
        return (day, profiles)
    }
}
