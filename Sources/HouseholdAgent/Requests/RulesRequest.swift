package import MergeCore

/// Lists the rules of a profile, and how far each of them reaches.
package struct RulesRequest: AgentRequest {
    package static let name = "rules"
    package typealias Response = RulesReport

    /// The profile, by name or id.
    package var profile: String
    /// Whether to list the rules that the save suggests by its names and values as well; `nil` for no.
    package var guess: Bool?

    package init(profile: String, guess: Bool? = nil) { (self.profile, self.guess) = (profile, guess) }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.listRules(call, profile, guess: guess ?? false)
    }
}
