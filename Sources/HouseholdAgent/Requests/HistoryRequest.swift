package import MergeCore

/// Lists the newest steps in a profile's history on this device.
package struct HistoryRequest: AgentRequest {
    package static let name = "history"
    package typealias Response = HistoryList

    /// The profile, by name or id.
    package var profile: String
    /// Lists only steps that changed this place, a JSON Pointer (RFC 6901); none for all steps.
    package var pointer: String?
    /// The largest number of steps.
    package var limit: Int

    package init(profile: String, pointer: String? = nil, limit: Int) {
        (self.profile, self.pointer, self.limit) = (profile, pointer, limit)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.history(call, profile, pointer, limit)
    }
}
