extension JSONDocument {
    /// The longest value, in bytes, that is first compared as text. Without this bound, every level of nesting would
    /// compare all the text below it again.
    private static let shortText = 4_096

    /// Whether two values have the same text, byte for byte.
    public func sameText(_ node: JSONNode, as other: JSONNode, in document: JSONDocument) -> Bool {
        sameBytes(range(node), document.range(other), in: document)
    }

    /// Whether two values mean the same: numbers by value, objects whatever the order of members.
    ///
    /// No trees are built. Where the texts are equal, one comparison of bytes is enough.
    public func sameValue(_ node: JSONNode, as other: JSONNode, in document: JSONDocument) -> Bool {
        sameText(node, as: other, in: document) || means(node, other, in: document)
    }

    private func means(_ node: JSONNode, _ other: JSONNode, in document: JSONDocument) -> Bool {
        let (left, right) = (tape[node.index], document.tape[other.index])
        guard left.rawKind == right.rawKind, left.count == right.count else { return false }
        if left.range.count <= Self.shortText, sameText(node, as: other, in: document) { return true }
        switch kind(node) {
        case .null, .true, .false: return true
        case .number: return number(node) == document.number(other)
        case .string: return sameString(left, right, in: document)
        case .array: return sameChildren(node, other, in: document)
        case .object: return sameMembers(node, other, in: document)
        }
    }

    private func sameChildren(_ node: JSONNode, _ other: JSONNode, in document: JSONDocument) -> Bool {
        var others = document.children(other)
        for child in children(node) {
            guard let match = others.next(), means(child, match, in: document) else { return false }
        }
        return true
    }

    private func sameMembers(_ node: JSONNode, _ other: JSONNode, in document: JSONDocument) -> Bool {
        var others = document.children(other)
        var byKey: [JSONString: JSONNode]?
        for child in children(node) {
            var match: JSONNode?
            if byKey == nil {
                match = others.next()
                if let found = match, !sameKey(child, as: found, in: document) {
                    byKey = document.membersByKey(other)
                }
            }
            if let byKey { match = key(of: child).flatMap { byKey[$0] } }
            guard let match, means(child, match, in: document) else { return false }
        }
        return true
    }

    /// Whether two strings or keys are equal after unescaping.
    func sameString(_ left: TapeEntry, _ right: TapeEntry, in document: JSONDocument) -> Bool {
        if left.hasEscapes || right.hasEscapes { return unescaped(left) == document.unescaped(right) }
        return sameBytes(left.inner, right.inner, in: document)
    }

    private func sameBytes(_ range: Range<Int>, _ other: Range<Int>, in document: JSONDocument) -> Bool {
        guard range.count == other.count else { return false }
        return bytes.withUnsafeBufferPointer { left in
            document.bytes.withUnsafeBufferPointer { right in
                ByteRuns.equal(
                    UnsafeBufferPointer(rebasing: left[range]),
                    UnsafeBufferPointer(rebasing: right[other])
                )
            }
        }
    }
}
