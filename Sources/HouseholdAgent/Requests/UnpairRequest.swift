package import MergeCore

/// Removes a device from the household, and on demand the devices that only this device brought in.
package struct UnpairRequest: AgentRequest {
    package static let name = "unpair"
    package static let needsRunningAgent = true
    package typealias Response = RemovedDevice

    /// The device, by name or id.
    package var device: String
    /// Whether devices that no other member paired with are removed as well.
    package var withBroughtIn: Bool

    package init(device: String, withBroughtIn: Bool = false) {
        (self.device, self.withBroughtIn) = (device, withBroughtIn)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.unpair(call, device, withBroughtIn: withBroughtIn, now: now)
    }
}
