import MergeCore

/// What came of each rule where two devices had written a place apart: how often, and an example.
struct RuleOutcomes: Sendable {
    struct Outcome: Sendable {
        /// The path of the rule in its file; `nil` for places without one.
        let pattern: String?
        let rule: String
        var count = 0
        /// What was there, what was written, and what came of it.
        var example: String
    }

    private(set) var all: [Outcome] = []

    mutating func add(_ pattern: String?, _ rule: MergeRule, example: String) {
        add(Outcome(pattern: pattern, rule: rule.merge.rawValue, count: 1, example: example))
    }

    mutating func add(_ others: RuleOutcomes) {
        for outcome in others.all { add(outcome) }
    }

    private mutating func add(_ outcome: Outcome) {
        if let index = all.firstIndex(where: { $0.pattern == outcome.pattern && $0.rule == outcome.rule }) {
            all[index].count += outcome.count
        } else {
            all.append(outcome)
        }
    }
}
