import MergeCore

/// Limits the log lines about the connections of each device, so that a device that connects and disconnects without
/// end does not fill the log: some lines at once, then two a minute.
///
/// The devices are those of the household, so there are few of them.
struct DeviceLog {
    /// The lines that are written at once.
    static let burst = 12
    /// The time after which one more may be written.
    static let interval = Duration.seconds(30)

    private struct Allowance {
        var left = DeviceLog.burst
        /// The time from which the next line is earned; it comes one interval later.
        var since: MonotonicTime
        var leftOut = 0
    }

    private var devices: [DeviceID: Allowance] = [:]

    /// Counts a line about a device. Returns the number of lines that were left out since the last written one; `nil`
    /// if this line is to be left out as well.
    mutating func note(_ device: DeviceID, now: MonotonicTime) -> Int? {
        var allowance = devices[device] ?? Allowance(since: now)
        defer { devices[device] = allowance }
        while allowance.left < Self.burst, allowance.since + Self.interval <= now {
            allowance.left += 1
            allowance.since = allowance.since + Self.interval
        }
        if allowance.left == Self.burst { allowance.since = now }
        guard allowance.left > 0 else {
            allowance.leftOut += 1
            return nil
        }
        allowance.left -= 1
        defer { allowance.leftOut = 0 }
        return allowance.leftOut
    }
}
