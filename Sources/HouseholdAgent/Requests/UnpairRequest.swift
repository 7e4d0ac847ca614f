package import MergeCore

/// Removes a device from the household.
package struct UnpairRequest: AgentRequest {
    package static let name = "unpair"
    package static let needsRunningAgent = true
    package typealias Response = RemovedDevice

    /// The device, by name or id.
    package var device: String

    package init(device: String) { self.device = device }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.unpair(call, device, now: now)
    }
}
