package import MergeCore

/// Changes the rules of a profile for the whole household. Its name, versions, resets and migrations stay.
package struct ChangeRulesRequest: AgentRequest {
    package static let name = "changeRules"
    package static var needsSettledFiles: Bool { true }
    package typealias Response = RulesReport

    /// The profile, by name or id.
    package var profile: String
    /// The rules that the player saw. Where others are in force by now, nothing is changed.
    package var from: [RuleLine]
    /// The rules that shall be in force.
    package var to: [RuleLine]
    /// Whether only a report is made.
    package var dryRun: Bool

    package init(profile: String, from: [RuleLine], to: [RuleLine], dryRun: Bool = false) {
        (self.profile, self.from, self.to, self.dryRun) = (profile, from, to, dryRun)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.changeRules(call, self, now: now)
    }
}
