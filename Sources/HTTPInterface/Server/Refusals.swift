/// Counts connections that were not admitted, so that however many come, the log has one line of them a minute.
struct Refusals: Sendable {
    private static let pause = Duration.seconds(60)

    private var count = 0
    private var last: ContinuousClock.Instant?

    /// One was refused. Returns how many were since the last line, where it is time for another one.
    mutating func note(now: ContinuousClock.Instant) -> Int? {
        count += 1
        if let last, now < last + Self.pause { return nil }
        defer { count = 0 }
        last = now
        return count
    }
}
