extension JSONDocument {
    /// The key of a member's value, or nil when the value is not a member's.
    public func key(of node: JSONNode) -> JSONString? { keyEntry(of: node).map(unescaped) }

    /// The key of a member's value as it is written, without its quotes and with its escapes; copies nothing.
    public func keyText(of node: JSONNode) -> ArraySlice<UInt8>? { keyEntry(of: node).map { bytes[$0.inner] } }

    /// The range of a member's key in ``bytes``, quotes included; nil when the value is not a member's.
    public func keyRange(of node: JSONNode) -> Range<Int>? { keyEntry(of: node)?.range }

    /// Whether the key of a member's value is the given one; false when the value is not a member's.
    public func keyEquals(_ node: JSONNode, _ key: JSONString) -> Bool {
        keyEntry(of: node).map { isKey($0, key) } ?? false
    }

    /// Whether two values are members under equal keys; allocates nothing unless a key has escapes.
    public func sameKey(_ node: JSONNode, as other: JSONNode, in document: JSONDocument) -> Bool {
        guard let left = keyEntry(of: node), let right = document.keyEntry(of: other) else { return false }
        return sameString(left, right, in: document)
    }

    /// The value of the member with a key; nil when there is none or the value is no object. The keys are compared one
    /// after another: O(members).
    public func member(_ node: JSONNode, named key: JSONString) -> JSONNode? {
        guard kind(node) == .object else { return nil }
        for value in children(node) where isKey(tape[value.index - 1], key) { return value }
        return nil
    }

    /// The element of an array at a position, counted from 0; nil when there is none. O(position).
    public func element(_ node: JSONNode, at position: Int) -> JSONNode? {
        guard position >= 0, position < count(node), kind(node) == .array else { return nil }
        var children = children(node)
        for _ in 0..<position { _ = children.next() }
        return children.next()
    }

    /// All members of an object by key, for looking up many; empty when the value is no object.
    public func membersByKey(_ node: JSONNode) -> [JSONString: JSONNode] {
        Dictionary(uniqueKeysWithValues: members(node).map { ($0.key, $0.value) })
    }

    /// The value that a pointer names (RFC 6901), or nil when there is none.
    public func node(at pointer: JSONPointer) -> JSONNode? {
        var node = root
        for token in pointer.tokens {
            let next: JSONNode?
            switch kind(node) {
            case .object: next = member(node, named: token)
            case .array: next = token.arrayIndex.flatMap { element(node, at: $0) }
            default: next = nil
            }
            guard let next else { return nil }
            node = next
        }
        return node
    }

    /// The pointer that names a value. It is found by steps from the root down; the node must be of this document.
    public func pointer(to node: JSONNode) -> JSONPointer {
        var tokens: [JSONString] = []
        var current = root
        while current.index < node.index {
            var found: JSONNode?
            for (position, child) in children(current).enumerated() where node.index < Int(tape[child.index].next) {
                tokens.append(key(of: child) ?? JSONString(String(position)))
                found = child
                break
            }
            guard let found else { preconditionFailure("node \(node.index) is not of this document") }
            current = found
        }
        return JSONPointer(tokens: tokens)
    }

    /// The key before a value, if there is one.
    func keyEntry(of node: JSONNode) -> TapeEntry? {
        guard node.index > 0, tape[node.index - 1].isKey else { return nil }
        return tape[node.index - 1]
    }

    private func isKey(_ entry: TapeEntry, _ key: JSONString) -> Bool {
        if entry.hasEscapes { return unescaped(entry) == key }
        guard entry.inner.count == key.bytes.count else { return false }
        return bytes.withUnsafeBufferPointer { text in
            key.bytes.withUnsafeBufferPointer {
                ByteRuns.equal(UnsafeBufferPointer(rebasing: text[entry.inner]), $0)
            }
        }
    }
}

extension JSONString {
    /// The array index that a pointer's token names: `0`, or at most 18 digits without a leading zero. Nil for any
    /// other token.
    var arrayIndex: Int? {
        guard let first = bytes.first, bytes.count <= 18, bytes.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        if first == 0x30, bytes.count > 1 { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
