public import LosslessJSON

extension DocumentPath {
    /// The place that a JSON Pointer leads to in a document under these rules. An element of a keyed array is named by
    /// its position in the document, or by its key in brackets, as ``description`` writes it: `/crew/0/name` or
    /// `/crew/["oak"]/name`. A pointer into a value that the rules treat as one whole names that value.
    ///
    /// `nil` if a step into an array is neither an index nor a key in brackets, or does not name one element of a keyed
    /// array.
    /// O(depth · elements).
    public init?(_ pointer: JSONPointer, in document: JSONDocument, rules: RuleSet) {
        var path = DocumentPath.root
        var node: JSONNode? = document.root
        var matcher = RuleMatcher(rules)
        for token in pointer.tokens {
            if matcher.rule.isWhole || matcher.rule.takesElements { break }
            var step = PathStep.member(token)
            let isInArray = node.map { document.kind($0) == .array }
            if isInArray != false, case .keyed(let key) = matcher.arrayShape,
                case let keys = Self.keys(inBrackets: token), let likeliest = keys.first
            {
                let elements = node.flatMap { keyedElements(document, $0, by: key) } ?? []
                let meant = keys.lazy.compactMap { id in elements.first { $0.id == id } }.first
                step = .element(meant?.id ?? likeliest)
                node = meant?.node
            } else if let here = node, isInArray == true {
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

    /// The canonical bytes of the keys that a token such as `["oak"]`, `[5]` or `[oak]` may mean, the likeliest first;
    /// none where the text is no key. A shell takes the quotes away from a place that is pasted without more of them, so
    /// what stands between the brackets is tried as a text as well.
    private static func keys(inBrackets token: JSONString) -> [[UInt8]] {
        let bytes = token.bytes
        guard bytes.count > 2, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return [] }
        let inner = Array(bytes.dropFirst().dropLast())
        let text = JSONValue.string(JSONString(bytes: inner)).canonicalBytes
        guard let value = try? JSONValue(parsing: inner) else { return [text] }
        switch value {
        case .object, .array: return []
        default: return [value.canonicalBytes, text]
        }
    }
}
