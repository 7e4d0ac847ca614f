package import LosslessJSON

/// Which rule decides about each place of a document: what a person who reads or changes rules wants to know.
///
/// The work is bounded, whatever the rules and the document are. Of a larger document only a part is looked at.
package struct RuleReach: Sendable {
    /// For each rule of ``RuleSet/entries``, in their order: the number of places that it decides about. A container that
    /// is one value, and an empty one, is one place.
    package private(set) var counts: [Int]
    /// The number of places that no rule is about.
    package private(set) var others = 0
    /// The rule in force at each place. The elements of an array with a key share one place, such as `/items[id]/count`.
    package private(set) var places: [String: MergeRule] = [:]
    /// Whether the whole document was looked at.
    package private(set) var isWhole = true

    private let document: JSONDocument
    private var budget: Int
    private var steps: [RulePattern.Step] = []

    /// - Parameter limit: How many places may be looked at where the rules are few. A place costs more where many rules
    ///   may be about it.
    package init(of rules: RuleSet, in document: JSONDocument, lookingAt limit: Int = 50_000) {
        self.document = document
        counts = Array(repeating: 0, count: rules.entries.count)
        budget = limit
        visit(document.root, RuleMatcher(rules), local: nil)
    }

    /// - Parameter local: The `local` rule that the place is below; it decides where no other one matches.
    private mutating func visit(_ node: JSONNode, _ matcher: RuleMatcher, local: Int?) {
        budget -= 1 + matcher.width / 16
        guard budget > 0 else { return isWhole = false }
        let (kind, rule) = (document.kind(node), matcher.rule)
        let isContainer = kind == .object || kind == .array
        guard isContainer, document.count(node) > 0, matcher.takesApart(kind) else {
            return note(rule, matcher.matched ?? local)
        }
        let inner = rule.merge == .local ? matcher.matched ?? local : nil
        if kind == .object {
            for member in document.children(node) {
                let name = document.key(of: member) ?? ""
                visit(member, matcher.stepping(.member(name)), at: .literal(name), local: inner)
                if budget <= 0 { return }
            }
            return
        }
        for (index, element) in document.children(node).enumerated() {
            if case .keyed(let key) = matcher.arrayShape {
                visit(element, matcher.stepping(.element([])), at: .keyed(key), local: inner)
            } else {
                let number = RulePattern.Step.literal(JSONString(String(index)))
                visit(element, matcher.stepping(.index(index)), at: number, local: inner)
            }
            if budget <= 0 { return }
        }
    }

    private mutating func visit(_ node: JSONNode, _ matcher: RuleMatcher, at step: RulePattern.Step, local: Int?) {
        steps.append(step)
        visit(node, matcher, local: local)
        steps.removeLast()
    }

    private mutating func note(_ rule: MergeRule, _ index: Int?) {
        places[RulePattern(steps: steps).description] = rule
        // The rule that keeps `resetAt` on the device is in force though no line of the rule file says so.
        if let index, counts.indices.contains(index) { counts[index] += 1 } else { others += 1 }
    }
}
