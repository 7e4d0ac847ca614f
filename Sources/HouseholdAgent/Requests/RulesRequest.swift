package import MergeCore

/// Lists the rules of a profile, and how far each of them reaches.
package struct RulesRequest: AgentRequest {
    package static let name = "rules"
    package typealias Response = RulesReport

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.listRules(call, profile)
    }
}
