package import MergeCore

/// Lists the devices of the household.
package struct DevicesRequest: AgentRequest {
    package static let name = "devices"
    package typealias Response = DeviceList

    /// Whether the player knows the devices that came in: the status no longer names them.
    package var seen: Bool?

    package init(seen: Bool? = nil) { self.seen = seen }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        if seen == true { agent.household.knowNewcomers() }
        agent.answer(call) { DeviceList(devices: $0.deviceReports()) }
    }
}
