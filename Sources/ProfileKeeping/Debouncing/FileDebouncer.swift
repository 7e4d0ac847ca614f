package import MergeCore

/// Decides when a profile file may be read as a finished save.
///
/// A file that arrived by rename is complete. A file written in place may be half written. It is read when nothing
/// happened for a while, and counts as finished when a second read gives the same bytes (a file that parses can still
/// mix two saves). A game that writes all the time leaves no such pause; after a while a shorter one is enough.
package struct FileDebouncer: Hashable, Sendable {
    /// The time without an event before a file written in place is read.
    package static let quiet = Duration.milliseconds(250)
    /// The same, where the file was written again and again for ``patience``: the game may save five times a second, for
    /// hours.
    package static let shortQuiet = Duration.milliseconds(60)
    package static let patience = Duration.seconds(2)
    /// The time after which a file that has not been read since is said to be written all the time.
    package static let saidAfter = Duration.seconds(10)
    /// The time between the two reads that must be equal.
    package static let confirmation = Duration.milliseconds(50)

    package enum Event: Sendable {
        /// A file was renamed to the path.
        case replaced
        /// The file was written, truncated, created or its attributes changed.
        case written
        /// Events were lost, or the regular look at the file found something new.
        case unsure
    }

    private enum State: Hashable {
        case settled
        case complete
        case quietUntil(MonotonicTime)
        case confirm([UInt8], at: MonotonicTime)
    }

    private var state = State.settled
    /// The first event that no finished save has followed yet.
    private var restlessSince: MonotonicTime?
    /// Whether the file has been written all the time for so long that the player should know: nothing of it was read.
    package private(set) var isRestless = false

    package init() {}

    /// Whether nothing is waited for, so the file is not in the middle of a write.
    package var isSettled: Bool { state == .settled }

    /// The time to call ``step(now:read:)``; `nil` if nothing is waited for.
    package var deadline: MonotonicTime? {
        switch state {
        case .settled: nil
        case .complete: .min
        case .quietUntil(let time): time
        case .confirm(_, let time): time
        }
    }

    package mutating func happened(_ event: Event, now: MonotonicTime) {
        switch (event, state) {
        case (.replaced, _): state = .complete
        case (_, .complete): break
        default: wait(now: now)
        }
    }

    private mutating func wait(now: MonotonicTime) {
        let since = restlessSince ?? now
        restlessSince = since
        isRestless = since + Self.saidAfter <= now
        state = .quietUntil(now + (since + Self.patience <= now ? Self.shortQuiet : Self.quiet))
    }

    private mutating func settle() { self = FileDebouncer() }

    /// Reads the file when it is time. Returns true when the file is a finished save, or when it is certain that it is
    /// gone.
    package mutating func step(now: MonotonicTime, read: () -> [UInt8]?) -> Bool {
        switch state {
        case .settled: return false
        case .complete:
            settle()
            return true
        case .quietUntil(let time):
            if now >= time { state = .confirm(read() ?? [], at: now + Self.confirmation) }
            return false
        case .confirm(let before, let time):
            guard now >= time else { return false }
            if (read() ?? []) == before {
                settle()
                return true
            }
            wait(now: now)
            return false
        }
    }
}
