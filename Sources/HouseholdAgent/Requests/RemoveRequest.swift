package import MergeCore

/// Stops keeping the profile's file on this device; the file stays.
package struct RemoveRequest: AgentRequest {
    package static let name = "remove"
    package typealias Response = ForgottenProfile

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.remove(call, profile)
    }
}
