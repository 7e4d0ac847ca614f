package import MergeCore

/// Makes a short summary of a profile.
package struct SummaryRequest: AgentRequest {
    package static let name = "summary"
    package typealias Response = SummaryReport

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.summary(call, profile)
    }
}
