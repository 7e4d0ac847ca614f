import LosslessJSON
import MergeCore

/// A place in a save as rules see it, followed one step at a time.
///
/// It is written apart from the core's own matcher: what takes the places of a save apart for the checkers shall not be
/// wrong where the merge is.
struct RulePosition {
    /// What is left of a rule's path behind this place.
    private struct Rest {
        let steps: ArraySlice<RulePattern.Step>
        let entry: Int
        /// Whether it was reached by a `**` that stands for nothing.
        let isBehindAnyDepth: Bool
    }

    /// How a list is taken apart.
    enum Lists: Equatable { case whole, keyed(JSONString), numbered }

    private let rules: RuleSet
    /// Says which rule is for this place: the rules' own word on that, as the agents have it.
    private let matcher: RuleMatcher
    private let rests: [Rest]

    init(_ rules: RuleSet) {
        self.rules = rules
        matcher = RuleMatcher(rules)
        rests = Self.closed(
            rules.entries.indices.map {
                Rest(steps: rules.entries[$0].pattern.steps[...], entry: $0, isBehindAnyDepth: false)
            })
    }

    private init(_ rules: RuleSet, _ matcher: RuleMatcher, _ rests: [Rest]) {
        (self.rules, self.matcher, self.rests) = (rules, matcher, rests)
    }

    /// The rule for this place.
    var rule: MergeRule { matcher.rule }

    /// The path of the rule as its file writes it; `nil` where no rule is for this place.
    var pattern: String? {
        let rule = rule
        return rests.first { $0.steps.isEmpty && rules.entries[$0.entry].rule == rule }
            .map { "\(rules.entries[$0.entry].pattern)" }
    }

    /// How a list at this place is taken apart.
    var lists: Lists {
        let rule = rule
        if rule.isWhole || rule.isOfElements { return .whole }
        var lists = Lists.whole
        for rest in rests {
            switch rest.steps.first {
            case .keyed(let key)?: return .keyed(key)
            case .any?: if !rest.isBehindAnyDepth { lists = .numbered }
            case .literal(let name)?: if !rest.isBehindAnyDepth, Int(name.string) != nil { lists = .numbered }
            case .anyDepth?:
                let merge = rules.entries[rest.entry].rule.merge
                if rest.steps.count == 1, merge != .latest, merge != .local { lists = .numbered }
            case nil: break
            }
        }
        return lists
    }

    /// Whether a rule leaves something in this place to each device.
    var mayHoldOwn: Bool {
        rests.contains { rest in
            let merge = rules.entries[rest.entry].rule.merge
            return !rest.steps.isEmpty && (merge == .local || merge == .choice)
        }
    }

    func stepping(_ step: PathStep) -> RulePosition {
        let next = rests.compactMap { rest -> Rest? in
            switch (rest.steps.first, step) {
            case (.anyDepth?, _): return rest
            case (.any?, _), (.keyed?, .element): break
            case (.literal(let name)?, .member(let member)) where name == member: break
            case (.literal(let name)?, .index(let index)) where name.string == String(index): break
            default: return nil
            }
            return Rest(steps: rest.steps.dropFirst(), entry: rest.entry, isBehindAnyDepth: false)
        }
        return RulePosition(rules, matcher.stepping(step), Self.closed(next))
    }

    /// Adds what a `**` leaves that stands for nothing.
    private static func closed(_ rests: [Rest]) -> [Rest] {
        rests.flatMap { rest in
            var all = [rest]
            while let last = all.last, last.steps.first == .anyDepth {
                all.append(Rest(steps: last.steps.dropFirst(), entry: last.entry, isBehindAnyDepth: true))
            }
            return all
        }
    }
}

extension MergeRule {
    /// Whether a list under the rule is a set, whose elements merge one by one.
    var isOfElements: Bool { (merge == .union || merge == .set) && reading != .bits }
}
