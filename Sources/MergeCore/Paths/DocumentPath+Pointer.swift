public import LosslessJSON

extension DocumentPath {
    /// The leaf that a JSON Pointer leads to in a document under these rules: elements of a keyed array are named by
    /// their key, not by where they happen to stand. What lies inside one whole value means that value.
    ///
    /// `nil` where the document has nothing there and the pointer's steps do not say what is meant. O(depth ·
    /// elements).
    public init?(_ pointer: JSONPointer, in document: JSONDocument, rules: RuleSet) {
        var path = DocumentPath.root
        var node: JSONNode? = document.root
        var cursor = RuleCursor(rules)
        for token in pointer.tokens {
            if cursor.rule.isWhole || cursor.rule.takesElements { break }
            var step = PathStep.member(token)
            if let here = node, document.kind(here) == .array {
                guard let position = Int(token.string), position >= 0 else { return nil }
                switch cursor.arrayShape {
                case .leaf: break
                case .indexed: step = .index(position)
                case .keyed(let key):
                    guard let elements = keyedElements(document, here, by: key), position < elements.count else {
                        return nil
                    }
                    step = .element(elements[position].id)
                }
                if cursor.arrayShape == .leaf { break }
                node = document.element(here, at: position)
            } else {
                node = node.flatMap { document.kind($0) == .object ? document.member($0, named: token) : nil }
            }
            path = path.appending(step)
            cursor = cursor.stepping(step)
        }
        self = path
    }
}
