package import MergeCore

/// Adopts the save at a path as a profile. Where the path has a profile already, its rules are changed.
package struct AddRequest: AgentRequest {
    package static let name = "add"
    package typealias Response = ProfileAnswer

    /// The absolute path of the save.
    package var path: String
    /// The name of the profile in the household.
    package var name: String
    /// The rules; none for the default rules, or for no change of rules.
    package var rules: RuleSet?

    package init(path: String, name: String, rules: RuleSet? = nil) {
        (self.path, self.name, self.rules) = (path, name, rules)
    }

    package var fault: MemberFault? { .unlessAbsolute(path, "path") }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.add(call, path, name, rules, now: now)
    }
}
