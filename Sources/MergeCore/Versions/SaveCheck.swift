import LosslessJSON

/// A check whether the rules can read a save. A migration must not leave a value that they cannot read.
struct SaveCheck {
    /// A value that its rule cannot read.
    struct Finding {
        let place: JSONPointer
        let node: JSONNode
        let reason: String
    }

    private(set) var findings: [Finding] = []

    private let document: JSONDocument

    /// Most findings that are listed.
    static let limit = 1_000

    /// Looks at every leaf. O(document · rules that reach a place); depth is bounded by the parser's limit.
    init(_ document: JSONDocument, _ rules: RuleSet) {
        self.document = document
        look(document.root, .root, RuleMatcher(rules))
    }

    private mutating func look(_ node: JSONNode, _ place: JSONPointer, _ matcher: RuleMatcher) {
        guard findings.count < Self.limit else { return }
        switch DocumentShape(document, node, matcher) {
        case .local, .elements: return
        case .leaf(let rule):
            if !rule.takes(document.value(node)) { add(node, place, "\(rule.merge.rawValue) cannot read it") }
        case .object:
            for (name, member) in document.members(node) {
                look(member, place.appending(name), matcher.stepping(.member(name)))
            }
        case .indexed:
            for (index, element) in document.elements(node).enumerated() {
                look(element, place.appending(JSONString(String(index))), matcher.stepping(.index(index)))
            }
        case .keyed(let key):
            guard let elements = keyedElements(document, node, by: key) else {
                if let reason = whyNotKeyed(document, node, by: key) { add(node, place, reason) }
                return
            }
            for (index, element) in elements.enumerated() {
                look(
                    element.node,
                    place.appending(JSONString(String(index))),
                    matcher.stepping(.element(element.id))
                )
            }
        }
    }

    private mutating func add(_ node: JSONNode, _ place: JSONPointer, _ reason: String) {
        findings.append(Finding(place: place, node: node, reason: reason))
    }
}

extension MergeRule {
    /// Whether the rule can read a value. Every rule accepts null.
    fileprivate func takes(_ value: JSONValue) -> Bool {
        if value == .null || isWhole || none.contains(value) { return true }
        switch merge {
        case .max, .min, .counter: return reads(value)
        case .flag: return value.kind == .true || value.kind == .false
        case .union, .set:
            if reading == .bits { return BitField(value) != nil }
            return value.kind == .array
        case .latest, .furthest, .choice, .local: return true
        }
    }
}
