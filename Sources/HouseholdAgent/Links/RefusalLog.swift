import MergeCore

/// Limits the log lines about refused connections: at most one line a minute, which gives their number.
struct RefusalLog {
    /// The time between two lines.
    static let interval = Duration.seconds(60)

    private var next = MonotonicTime.min
    private var leftOut = 0

    /// Counts refused connections. Returns the number of refusals since the last line, these included; `nil` while no
    /// line may be written.
    mutating func note(_ count: Int, now: MonotonicTime) -> Int? {
        leftOut += count
        guard now >= next else { return nil }
        next = now + Self.interval
        defer { leftOut = 0 }
        return leftOut
    }
}
