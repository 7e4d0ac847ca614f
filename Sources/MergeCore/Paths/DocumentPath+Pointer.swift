public import LosslessJSON

extension DocumentPath {
    /// The place that a JSON Pointer leads to in a document under these rules. An element of a keyed array is named by
    /// its key, not by its present position. A pointer into a value that the rules treat as one whole names that value.
    ///
    /// `nil` where a step into an array is no index, or does not tell which element of a keyed array is meant.
    /// O(depth · elements).
    public init?(_ pointer: JSONPointer, in document: JSONDocument, rules: RuleSet) {
        var path = DocumentPath.root
        var node: JSONNode? = document.root
        var matcher = RuleMatcher(rules)
        for token in pointer.tokens {
            if matcher.rule.isWhole || matcher.rule.takesElements { break }
            var step = PathStep.member(token)
            if let here = node, document.kind(here) == .array {
                guard let position = Int(token.string), position >= 0 else { return nil }
                switch matcher.arrayShape {
                case .leaf: break
                case .indexed: step = .index(position)
                case .keyed(let key):
                    guard let elements = keyedElements(document, here, by: key), position < elements.count else {
                        return nil
                    }
                    step = .element(elements[position].id)
                }
                if matcher.arrayShape == .leaf { break }
                node = document.element(here, at: position)
            } else {
                node = node.flatMap { document.kind($0) == .object ? document.member($0, named: token) : nil }
            }
            path = path.appending(step)
            matcher = matcher.stepping(step)
        }
        self = path
    }
}
