/// A point in time, in whole milliseconds by some clock: ``WallTime`` or ``MonotonicTime``.
///
/// Sums that it cannot hold end at `min` or `max`, because a date may come from a file or from another device.
public protocol TimePoint: InstantProtocol, ExpressibleByIntegerLiteral, Sendable where Duration == Swift.Duration {
    /// Whole milliseconds since the clock's zero.
    var milliseconds: Int64 { get }

    /// The time at which the clock shows so many milliseconds.
    init(milliseconds: Int64)
}

extension TimePoint {
    /// The earliest time that there is.
    public static var min: Self { Self(milliseconds: .min) }
    /// The latest time that there is.
    public static var max: Self { Self(milliseconds: .max) }

    /// Milliseconds, as a literal.
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }

    /// The time a duration later; ``min`` or ``max`` where that cannot be held.
    public func advanced(by duration: Duration) -> Self {
        let added = duration.wholeMilliseconds
        let (sum, overflow) = milliseconds.addingReportingOverflow(added)
        return Self(milliseconds: overflow ? (added < 0 ? .min : .max) : sum)
    }

    /// The duration from this time to another.
    public func duration(to other: Self) -> Duration {
        .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
    }

    /// Whether one time is before another.
    public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    /// The time a duration later; ``max`` at most.
    public static func + (time: Self, duration: Duration) -> Self { time.advanced(by: duration) }

    /// The time a duration earlier; ``min`` at least.
    public static func - (time: Self, duration: Duration) -> Self { time.advanced(by: .zero - duration) }

    /// Moves a time a duration later; ``max`` at most.
    public static func += (time: inout Self, duration: Duration) { time = time + duration }

    /// Moves a time a duration earlier; ``min`` at least.
    public static func -= (time: inout Self, duration: Duration) { time = time - duration }

    /// The duration between two times.
    public static func - (end: Self, start: Self) -> Duration { start.duration(to: end) }
}

extension Duration {
    /// The duration in whole milliseconds; the nearest possible number where there are too many.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, sumOverflow) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
