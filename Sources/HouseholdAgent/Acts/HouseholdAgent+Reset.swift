import MergeCore
import ProfileKeeping

/// Starting a save over, or a part of it.
extension HouseholdAgent {
    /// Plans to reset a scope of a profile. Without a scope: everything that the rules name, or the whole profile.
    mutating func planReset(_ id: RequestID, _ name: String, _ scope: String?) -> PlannedAct? {
        guard let profile = one(named: name, for: id), let held = engine.profiles[profile] else { return nil }
        let scopes = held.rules.resets
        let patterns: [RulePattern]
        if let scope {
            guard let chosen = scopes.first(where: { $0.name == scope }) else {
                let names = scopes.map(\.name).joined(separator: ", ")
                let known = names.isEmpty ? "its rules name no scopes; leave the scope out" : "it has: \(names)"
                fail(id, .usage, "\(held.name) has no scope \(scope); \(known)")
                return nil
            }
            patterns = chosen.patterns
        } else {
            patterns = scopes.flatMap(\.patterns)
        }
        let selector = patterns.isEmpty ? PathSelector.everything : PathSelector(patterns: patterns)
        return PlannedAct(profile: profile, act: .reset(selector, scope: scope))
    }
}
