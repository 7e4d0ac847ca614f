/// What one line of a rule set is about: the places of a rule, or the name of a reset. Two sets are compared and merged
/// subject by subject.
enum RuleSubject: Hashable {
    case places(RulePattern)
    case reset(String)

    /// What a set says about a subject.
    enum Line: Hashable {
        case rule(MergeRule)
        case reset([RulePattern])
    }
}

extension RuleSubject {
    /// Whether the line may say how a place merges, or one above or below it. An array that the rules took apart otherwise
    /// before is meant too.
    func mayConcern(_ path: DocumentPath) -> Bool {
        guard case .places(let pattern) = self, let steps = path.steps else { return false }
        for (wanted, step) in zip(pattern.steps, steps) {
            switch (wanted, step) {
            case (.anyDepth, _): return true
            case (.literal(let name), .member(let member)): if name != member { return false }
            case (.literal, _), (.any, _), (.keyed, _): continue
            }
        }
        return true
    }
}

extension RuleSet {
    /// What the set says about each of its subjects. O(lines).
    var lines: [RuleSubject: RuleSubject.Line] {
        var lines: [RuleSubject: RuleSubject.Line] = [:]
        for entry in entries { lines[.places(entry.pattern)] = .rule(entry.rule) }
        for reset in resets { lines[.reset(reset.name)] = .reset(reset.patterns) }
        return lines
    }
}
