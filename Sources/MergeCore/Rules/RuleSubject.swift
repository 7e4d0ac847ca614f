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

extension RuleSet {
    /// What the set says about each of its subjects. O(lines).
    var lines: [RuleSubject: RuleSubject.Line] {
        var lines: [RuleSubject: RuleSubject.Line] = [:]
        for entry in entries { lines[.places(entry.pattern)] = .rule(entry.rule) }
        for reset in resets { lines[.reset(reset.name)] = .reset(reset.patterns) }
        return lines
    }
}
