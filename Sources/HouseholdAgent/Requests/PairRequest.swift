package import MergeCore

/// Shows a pairing code and waits for the other device. The event is the code; the request stays open until a device
/// has used the code or it has expired.
package struct PairRequest: AgentRequest {
    package static let name = "pair"
    package static let needsRunningAgent = true
    package typealias Response = PairedDevice
    package typealias Event = PairingCodeMessage

    package init() {}

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.openPairing(call, now: now)
    }
}
