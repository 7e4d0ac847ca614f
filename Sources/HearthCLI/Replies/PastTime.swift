package import MergeCore

/// Says how long ago something was.
package enum PastTime {
    /// A time later than `now` counts as just now.
    package static func words(_ then: WallTime, now: WallTime) -> String {
        let (difference, overflow) = now.milliseconds.subtractingReportingOverflow(then.milliseconds)
        let seconds = overflow ? 0 : max(0, difference) / 1_000
        func count(_ number: Int64, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s") ago" }
        return switch seconds {
        case ..<5: "just now"
        case ..<60: count(seconds, "second")
        case ..<3_600: count(seconds / 60, "minute")
        case ..<86_400: count(seconds / 3_600, "hour")
        default: count(seconds / 86_400, "day")
        }
    }
}
