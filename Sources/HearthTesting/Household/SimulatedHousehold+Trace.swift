import HouseholdAgent
import MergeCore

/// How events and actions are written in the trace.
extension SimulatedHousehold {
    static func describe(_ event: AgentEvent) -> String {
        guard case .transport(.received(let id, let bytes)) = event else { return "\(event)" }
        return "received \(id) \(bytes.count) \(hash(bytes))"
    }

    static func describe(_ action: TransportAction) -> String {
        guard case .send(let id, let bytes) = action else { return "\(action)" }
        return "send \(id) \(bytes.count) \(hash(bytes))"
    }

    /// The trace depends on every byte by this without holding them.
    private static func hash(_ bytes: [UInt8]) -> String { String(FNV1a(bytes).value, radix: 16) }
}
