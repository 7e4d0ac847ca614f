import MergeCore
import ProfileKeeping
import SyncProtocol

/// Lines for the agent's log.
extension HouseholdAgent {
    mutating func log(_ level: LogLine.Level, _ message: String, _ metadata: [String: String] = [:]) {
        act(.log(LogLine(level, message, metadata)))
    }

    /// Logs what a device's connections do, within bounds.
    mutating func log(
        _ level: LogLine.Level, _ message: String, about device: DeviceKey, _ metadata: [String: String], now: Moment
    ) {
        guard let leftOut = deviceLog.note(device.id, now: now.monotonic) else { return }
        var metadata = metadata
        metadata["device"] = name(of: device)
        if leftOut > 0 { metadata["left out"] = "\(leftOut)" }
        log(level, message, metadata)
    }
}
