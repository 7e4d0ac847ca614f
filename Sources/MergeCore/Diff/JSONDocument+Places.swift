import LosslessJSON

/// Finds places in a document.
extension JSONDocument {
    /// The node at a place, and the rules there; `nil` if the document has nothing there. O(members and elements beside
    /// the path).
    func place(_ path: DocumentPath, _ rules: RuleSet) -> (node: JSONNode, matcher: RuleMatcher)? {
        guard let steps = path.steps else { return nil }
        var (node, matcher) = (root, RuleMatcher(rules))
        for step in steps {
            guard let next = child(node, step, matcher) else { return nil }
            (node, matcher) = (next, matcher.stepping(step))
        }
        return (node, matcher)
    }

    /// The member or element to which a step leads. An element of a keyed array is searched for: O(elements).
    func child(_ node: JSONNode, _ step: PathStep, _ matcher: RuleMatcher) -> JSONNode? {
        switch (step, kind(node)) {
        case (.member(let name), .object): return member(node, named: name)
        case (.index(let index), .array): return element(node, at: index)
        case (.element(let id), .array):
            guard case .keyed(let key) = matcher.arrayShape else { return nil }
            return keyedElements(self, node, by: key)?.first { $0.id == id }?.node
        default: return nil
        }
    }
}
