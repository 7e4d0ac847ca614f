/// The values directly inside an object or array, in the order of the text; nothing is copied.
public struct JSONChildren: Sequence, IteratorProtocol, Sendable {
    private let tape: [TapeEntry]
    private var index: Int
    private let end: Int
    /// The number of tape entries before each value: 1 in an object, for the key; 0 in an array.
    private let step: Int

    init(_ tape: [TapeEntry], of container: Int) {
        self.tape = tape
        let entry = tape[container]
        step = entry.rawKind == JSONKind.object.rawValue ? 1 : 0
        end = entry.count > 0 ? Int(entry.next) : 0
        index = container + 1
    }

    /// An empty sequence.
    init(emptyOn tape: [TapeEntry]) {
        self.tape = tape
        (step, end, index) = (0, 0, 0)
    }

    /// The next value; `nil` after the last one. O(1).
    public mutating func next() -> JSONNode? {
        guard index < end else { return nil }
        let value = index + step
        index = Int(tape[value].next)
        return JSONNode(value)
    }
}

/// The members of an object in the order of the text, each key unescaped when it is reached.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var values: JSONChildren

    init(_ document: JSONDocument, values: JSONChildren) {
        self.document = document
        self.values = values
    }

    /// The next member; `nil` after the last one. O(length of the key).
    public mutating func next() -> (key: JSONString, value: JSONNode)? {
        guard let value = values.next() else { return nil }
        return (document.unescaped(document.tape[value.index - 1]), value)
    }
}

extension JSONDocument {
    /// The members of an object; none when the value is no object.
    public func members(_ node: JSONNode) -> JSONMembers {
        JSONMembers(self, values: kind(node) == .object ? children(node) : JSONChildren(emptyOn: tape))
    }

    /// The elements of an array; none when the value is no array.
    public func elements(_ node: JSONNode) -> JSONChildren {
        kind(node) == .array ? children(node) : JSONChildren(emptyOn: tape)
    }

    /// The values directly inside an object or array. ``key(of:)`` and ``keyText(of:)`` give the key of a member's
    /// value.
    public func children(_ node: JSONNode) -> JSONChildren { JSONChildren(tape, of: node.index) }
}
