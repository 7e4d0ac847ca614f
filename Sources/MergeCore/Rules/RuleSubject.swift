/// The name of one line of a rule set: the path pattern of a rule, or the name of a reset. Two sets are compared and
/// merged line by line, under these names.
enum RuleSubject: Hashable {
    case places(RulePattern)
    case reset(String)

    /// The content of a line: a merge rule, or the places that a reset covers.
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

extension Set<RuleSubject> {
    /// The lines that may concern a place; of very many lines all, since each is compared.
    func concerning(_ path: DocumentPath) -> Self { count > 64 ? self : filter { $0.mayConcern(path) } }
}

extension RuleSet {
    /// The rules and resets of the set under their names. O(lines).
    var lines: [RuleSubject: RuleSubject.Line] {
        var lines: [RuleSubject: RuleSubject.Line] = [:]
        for entry in entries { lines[.places(entry.pattern)] = .rule(entry.rule) }
        for reset in resets { lines[.reset(reset.name)] = .reset(reset.patterns) }
        return lines
    }
}
