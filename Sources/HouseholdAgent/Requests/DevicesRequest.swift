package import MergeCore

/// Lists the devices of the household.
package struct DevicesRequest: AgentRequest {
    package static let name = "devices"
    package typealias Response = DeviceList

    package init() {}

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.answer(call) { DeviceList(devices: $0.deviceReports()) }
    }
}
