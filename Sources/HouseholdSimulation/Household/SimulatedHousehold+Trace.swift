import HouseholdAgent
import LosslessJSON
import MergeCore
import ProfileKeeping

/// How events and actions are written in the trace.
extension SimulatedHousehold {
    static func describe(_ event: AgentEvent) -> String {
        switch event {
        case .transport(.received(let id, let bytes)): "received \(id) \(bytes.count) \(hash(bytes))"
        // A dictionary is described in another order by every process.
        case .configured(let processes, let sharesBackups, let keepsBackupsOfOthers):
            "configured \(processes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }) "
                + "\(sharesBackups) \(keepsBackupsOfOthers)"
        case .saved(let save): "saved \(save.path) \(hash(save.document.bytes))"
        default: "\(event)"
        }
    }

    static func describe(_ action: TransportAction) -> String {
        guard case .send(let id, let bytes) = action else { return "\(action)" }
        return "send \(id) \(bytes.count) \(hash(bytes))"
    }

    /// The trace depends on every byte by this without holding them.
    private static func hash(_ bytes: [UInt8]) -> String { String(FNV1a(bytes).value, radix: 16) }
}
