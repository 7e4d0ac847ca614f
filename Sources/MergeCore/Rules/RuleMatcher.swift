import LosslessJSON

/// A path followed through the rules, one step at a time. It holds every position in every pattern that the path may
/// have reached, as a regular expression's state set does.
package struct RuleMatcher: Sendable {
    private struct State: Hashable {
        let entry: Int
        let step: Int
    }

    /// The rules in force and their ranks. A matcher keeps these rather than the rule set, since it needs nothing else.
    private let entries: [RuleSet.Entry]
    private let ranks: [RulePattern.Rank]
    private let states: [State]
    private let insideLocal: Bool
    /// The most specific rule that matches here, as an index into ``RuleSet/inForce``.
    let matched: Int?

    package init(_ rules: RuleSet) {
        (entries, ranks, insideLocal) = (rules.inForce, rules.ranks, false)
        states = Self.closed(entries.indices.map { State(entry: $0, step: 0) }, entries)
        matched = Self.matched(entries, ranks, states)
    }

    private init(after former: RuleMatcher, _ states: [State], insideLocal: Bool) {
        (entries, ranks) = (former.entries, former.ranks)
        self.states = states
        self.insideLocal = insideLocal
        matched = Self.matched(entries, ranks, states)
    }

    /// The most specific rule that matches here. Without one: `local` below a `local` place, else
    /// ``MergeRule/standard``.
    package var rule: MergeRule {
        guard let matched else { return insideLocal ? MergeRule(.local) : .standard }
        return entries[matched].rule
    }

    /// How an array here is taken apart.
    enum ArrayShape: Equatable {
        /// One value, or the elements of a set.
        case leaf
        case keyed(JSONString)
        case indexed
    }

    /// How an array at this place is taken apart. Explicit steps below it (`[key]`, `*`, a number) take it apart, and
    /// so does a trailing `**` of a rule for scalars. A `**` with more steps after it passes through objects only, so
    /// that it never changes how unrelated arrays merge.
    var arrayShape: ArrayShape {
        let here = rule
        if here.isWhole || here.takesElements { return .leaf }
        var indexed = false
        for state in states {
            let steps = entries[state.entry].pattern.steps
            guard state.step < steps.count else { continue }
            switch steps[state.step] {
            case .keyed(let key): return .keyed(key)
            case .any: indexed = indexed || !isLoop(state)
            case .literal(let name): indexed = indexed || (!isLoop(state) && Int(name.string) != nil)
            case .anyDepth:
                let merge = entries[state.entry].rule.merge
                if state.step == steps.count - 1, merge != .latest, merge != .local { indexed = true }
            }
        }
        return indexed ? .indexed : .leaf
    }

    /// Whether a rule says of a list at this place that it is one value, a set or local: not only by a `**`.
    var isListMeant: Bool {
        guard let matched else { return insideLocal }
        return entries[matched].pattern.steps.last != .anyDepth || rule.merge == .local
    }

    /// Whether the rules let a path go on with this step. If not, the path was written under former rules.
    func allows(_ step: PathStep) -> Bool {
        if rule.isWhole { return false }
        if case .member = step { return true }
        switch (step, arrayShape) {
        case (.element, .keyed), (.index, .indexed): return true
        default: return false
        }
    }

    /// Whether the rules take this value apart, so that it is never one leaf here. False for an empty container.
    func takesApart(_ value: JSONValue) -> Bool {
        if rule.isWhole { return false }
        switch value {
        case .object(let members): return !members.isEmpty
        case .array(let elements): return !elements.isEmpty && arrayShape != .leaf
        default: return false
        }
    }

    /// Whether the rules would take a container of this kind apart if it held something.
    func takesApart(_ kind: JSONKind) -> Bool {
        if rule.isWhole { return false }
        return kind == .object || kind == .array && arrayShape != .leaf
    }

    /// Whether neither this place nor any below it is synced, whatever stands there. False where a rule that is not
    /// `local` may match something below.
    var isLocalThroughout: Bool {
        rule.merge == .local && states.allSatisfy { entries[$0.entry].rule.merge == .local }
    }

    /// Whether no element of an array here is synced, whatever it holds.
    var keepsElements: Bool {
        let isNamed = insideLocal || states.contains { entries[$0.entry].rule.merge == .local }
        guard isNamed, !rule.isWhole else { return false }
        let goOn = states.allSatisfy { state in
            let entry = entries[state.entry]
            return state.step == entry.pattern.steps.count || entry.rule.merge == .local
        }
        guard goOn else { return false }
        switch arrayShape {
        case .keyed: return stepping(.element([])).isLocalThroughout
        case .indexed: return stepping(.index(.max)).isLocalThroughout
        case .leaf: return false
        }
    }

    /// Whether the elements of an array that is told apart by this member may be their machine's own: the rules do not
    /// sync the member, so that an element is synced only where they sync something else in it.
    func mayKeepElements(by key: JSONString) -> Bool { stepping(.element([])).mayKeepElement(named: key) }

    /// The same, asked at an element.
    func mayKeepElement(named key: JSONString) -> Bool {
        !rule.isWhole && stepping(.member(key)).rule.merge == .local
    }

    /// Whether a `local` rule matches something below this place, and its pattern spells every step to here as a name.
    var hasLocalBelow: Bool {
        states.contains { state in
            let entry = entries[state.entry]
            guard entry.rule.merge == .local, state.step < entry.pattern.steps.count else { return false }
            return entry.pattern.steps.prefix(state.step).allSatisfy {
                if case .literal = $0 { true } else { false }
            }
        }
    }

    /// How many positions in patterns the path may have reached: what a step from here costs.
    var width: Int { states.count }

    /// Whether no rule matches here or anywhere below.
    var isPastEveryRule: Bool { states.isEmpty }

    package func stepping(_ step: PathStep) -> RuleMatcher {
        // Past every rule, a place inside is like this one.
        if isPastEveryRule { return self }
        var next: [State] = []
        for state in states {
            let steps = entries[state.entry].pattern.steps
            guard state.step < steps.count else { continue }
            switch (steps[state.step], step) {
            case (.anyDepth, _): next.append(state)
            case (.any, _), (.keyed, .element): next.append(State(entry: state.entry, step: state.step + 1))
            case (.literal(let name), .member(let member)) where name == member:
                next.append(State(entry: state.entry, step: state.step + 1))
            case (.literal(let name), .index(let index)) where name.string == String(index):
                next.append(State(entry: state.entry, step: state.step + 1))
            default: break
            }
        }
        let local = matched.map { entries[$0].rule.merge == .local } ?? insideLocal
        return RuleMatcher(after: self, Self.closed(next, entries), insideLocal: local)
    }

    private static func matched(
        _ entries: [RuleSet.Entry], _ ranks: [RulePattern.Rank], _ states: [State]
    ) -> Int? {
        var best: Int?
        for state in states where state.step == entries[state.entry].pattern.steps.count {
            if let current = best, ranks[current] >= ranks[state.entry] { continue }
            best = state.entry
        }
        return best
    }

    /// Whether a state is only reached by staying inside a `**` that precedes it.
    private func isLoop(_ state: State) -> Bool {
        state.step > 0 && entries[state.entry].pattern.steps[state.step - 1] == .anyDepth
    }

    /// Adds the states that `**` reaches by matching nothing. States of one entry stay next to each other, in the input
    /// and in the result.
    private static func closed(_ states: [State], _ entries: [RuleSet.Entry]) -> [State] {
        var result: [State] = []
        result.reserveCapacity(states.count)
        for var state in states {
            while true {
                var last = result.count - 1
                while last >= 0, result[last].entry == state.entry, result[last].step != state.step { last -= 1 }
                if last < 0 || result[last].entry != state.entry { result.append(state) }
                let steps = entries[state.entry].pattern.steps
                guard state.step < steps.count, steps[state.step] == .anyDepth else { break }
                state = State(entry: state.entry, step: state.step + 1)
            }
        }
        return result
    }
}
