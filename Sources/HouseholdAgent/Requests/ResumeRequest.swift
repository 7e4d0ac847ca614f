package import MergeCore

/// Ends the pause of a ``PauseRequest``.
package struct ResumeRequest: AgentRequest {
    package static let name = "resume"
    package typealias Response = ProfileList

    /// The profile, by name or id; none for all.
    package var profile: String?

    package init(profile: String? = nil) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.resume(call, profile, now: now)
    }
}
