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

    /// Whether it is kept even where another tool syncs its folder, and as a new save where it was the file of another one;
    /// `nil` for no.
    package var anyway: Bool?

    package init(path: String, name: String, rules: RuleSet? = nil, anyway: Bool? = nil) {
        (self.path, self.name, self.rules, self.anyway) = (path, name, rules, anyway)
    }

    package var fault: MemberFault? { .unlessAbsolute(path, "path") }
    package var keptPath: String? { anyway == true ? nil : path }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.add(call, path, name, rules, asNew: anyway == true, now: now)
    }
}
