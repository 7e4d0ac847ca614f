package import MergeCore

/// Pairs with the device that shows this code.
package struct JoinRequest: AgentRequest {
    package static let name = "join"
    package static let needsRunningAgent = true
    package typealias Response = PairedDevice

    package var code: String
    /// The address of the other device, if discovery finds nothing.
    package var address: PeerAddress?

    package init(code: String, address: PeerAddress? = nil) {
        (self.code, self.address) = (code, address)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.joinByCode(call, code, address, now: now)
    }
}
