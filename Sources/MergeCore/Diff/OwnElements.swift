import LosslessJSON

/// Elements of an array told apart by a key that are their machine's own: the rules sync nothing in them. Whether such an
/// element is in the array, and where, is its machine's own as well: it is no element for the others.
extension DocumentShape {
    /// The elements of an array, without those that are the machine's own; `nil` as with `keyedElements`.
    ///
    /// - Parameter matcher: The rules at the array.
    static func sharedElements(
        _ document: JSONDocument, _ node: JSONNode, by key: JSONString, _ matcher: RuleMatcher
    ) -> [(id: [UInt8], key: JSONValue, node: JSONNode)]? {
        guard let elements = keyedElements(document, node, by: key) else { return nil }
        let below = matcher.stepping(.element([]))
        guard below.mayKeepElement(named: key) else { return elements }
        return elements.filter { !keepsAll(document, $0.node, below) }
    }

    /// Whether nothing at or below a node is synced. O(node).
    static func keepsAll(_ document: JSONDocument, _ node: JSONNode, _ matcher: RuleMatcher) -> Bool {
        if matcher.isLocalThroughout { return true }
        return all(of: node, document, matcher) { keepsAll(document, $0, $1) } ?? isLocal(document, node, matcher)
    }

    /// Whether something at or below a node is never synced. O(node).
    static func keepsSome(_ document: JSONDocument, _ node: JSONNode, _ matcher: RuleMatcher) -> Bool {
        let none = all(of: node, document, matcher) { !keepsSome(document, $0, $1) }
        return none.map { !$0 } ?? isLocal(document, node, matcher)
    }

    private static func isLocal(_ document: JSONDocument, _ node: JSONNode, _ matcher: RuleMatcher) -> Bool {
        if case .local = DocumentShape(document, node, matcher) { true } else { false }
    }

    /// Whether something is so for all members or elements that the rules take a node apart into; `nil` where they do not
    /// take it apart.
    private static func all(
        of node: JSONNode, _ document: JSONDocument, _ matcher: RuleMatcher, are: (JSONNode, RuleMatcher) -> Bool
    ) -> Bool? {
        switch DocumentShape(document, node, matcher) {
        case .local, .leaf, .elements: return nil
        case .object:
            return document.members(node).allSatisfy { are($0.value, matcher.stepping(.member($0.key))) }
        case .keyed:
            let below = matcher.stepping(.element([]))
            return document.elements(node).allSatisfy { are($0, below) }
        case .indexed:
            return document.elements(node).enumerated().allSatisfy { index, element in
                are(element, matcher.stepping(.index(index)))
            }
        }
    }
}
