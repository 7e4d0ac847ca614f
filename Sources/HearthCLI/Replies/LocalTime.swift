import DiskStore
import Libc
import MergeCore

/// Times in the machine's time zone.
enum LocalTime {
    /// A time such as 2026-11-21 15:04.
    static func text(_ time: WallTime) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "unknown time" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(Int64(parts.tm_year) + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }

    /// The present time.
    static var now: WallTime { Moment.now.wall }
}
