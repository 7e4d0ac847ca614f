/// A point in time, in whole milliseconds by some clock: ``WallTime`` or ``MonotonicTime``.
///
/// Sums that it cannot hold end at `min` or `max`, because a date may come from a file or from another device.
package protocol TimePoint: InstantProtocol, ExpressibleByIntegerLiteral, Sendable where Duration == Swift.Duration {
    var milliseconds: Int64 { get }

    init(milliseconds: Int64)
}

extension TimePoint {
    package static var min: Self { Self(milliseconds: .min) }
    package static var max: Self { Self(milliseconds: .max) }

    /// Milliseconds, as tests write them.
    package init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }

    package func advanced(by duration: Duration) -> Self {
        let added = duration.wholeMilliseconds
        let (sum, overflow) = milliseconds.addingReportingOverflow(added)
        return Self(milliseconds: overflow ? (added < 0 ? .min : .max) : sum)
    }

    package func duration(to other: Self) -> Duration {
        .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
    }

    package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    package static func + (time: Self, duration: Duration) -> Self { time.advanced(by: duration) }

    package static func - (time: Self, duration: Duration) -> Self { time.advanced(by: .zero - duration) }

    package static func - (end: Self, start: Self) -> Duration { start.duration(to: end) }
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
