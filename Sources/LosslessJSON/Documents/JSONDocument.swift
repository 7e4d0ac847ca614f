/// A parsed text: its bytes, and a flat table of the values in them.
///
/// Parsing allocates a few arrays whatever the size, never recurses and copies no string. The bytes stay as they are,
/// so a text can be patched without disturbing anything that did not change (see ``patched(_:)``).
public struct JSONDocument: Sendable {
    /// The text, byte for byte, a byte order mark included.
    public let bytes: [UInt8]
    /// How many values there are; keys are not counted.
    public let nodeCount: Int
    /// Values and keys in the order of the text.
    let tape: [TapeEntry]

    /// Parses strict RFC 8259 text in UTF-8; a leading byte order mark is accepted.
    ///
    /// - Throws: ``JSONSyntaxError`` with line and column: for anything the grammar does not allow, invalid UTF-8,
    ///   two equal keys in one object (compared unescaped), an empty text, and text beyond the limits.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONSyntaxError) {
        let limits = JSONLimits(
            depth: min(limits.depth, JSONLimits.greatest.depth),
            bytes: min(limits.bytes, JSONLimits.greatest.bytes)
        )
        let (tape, keyCount) = try bytes.withUnsafeBufferPointer {
            text throws(JSONSyntaxError) -> ([TapeEntry], Int) in
            do throws(ParseFault) {
                guard let base = text.baseAddress, !text.isEmpty else { throw ParseFault(reason: .empty, offset: 0) }
                guard text.count <= limits.bytes else { throw ParseFault(reason: .tooLong, offset: limits.bytes) }
                var parser = JSONParser(text, base: base, depthLimit: limits.depth)
                try parser.run()
                return (parser.tape, parser.keyCount)
            } catch {
                throw error.described(in: text, limits: limits)
            }
        }
        self.init(bytes: bytes, tape: tape, nodeCount: tape.count - keyCount)
    }

    /// Makes a document of a text and the tape that was made for that text.
    init(bytes: [UInt8], tape: [TapeEntry], nodeCount: Int) {
        (self.bytes, self.tape, self.nodeCount) = (bytes, tape, nodeCount)
    }

    /// The outermost value.
    public var root: JSONNode { JSONNode(0) }

    /// The kind of a value. O(1).
    public func kind(_ node: JSONNode) -> JSONKind {
        guard let kind = JSONKind(rawValue: tape[node.index].rawKind) else {
            preconditionFailure("node \(node.index) is a key; nodes are only ever made of values")
        }
        return kind
    }

    /// The range of the value's text in ``bytes``, quotes and brackets included.
    public func range(_ node: JSONNode) -> Range<Int> { tape[node.index].range }

    /// The value's text.
    public func text(_ node: JSONNode) -> ArraySlice<UInt8> { bytes[range(node)] }

    /// How many members or elements a value has; 0 when it is neither object nor array.
    public func count(_ node: JSONNode) -> Int { tape[node.index].count }

    /// The value as a string without escapes; nil when the value is no string.
    public func string(_ node: JSONNode) -> JSONString? {
        kind(node) == .string ? unescaped(tape[node.index]) : nil
    }

    /// The value as a number; nil when the value is no number.
    public func number(_ node: JSONNode) -> JSONNumber? {
        guard kind(node) == .number else { return nil }
        return bytes.withUnsafeBufferPointer {
            JSONNumber(checked: UnsafeBufferPointer(rebasing: $0[range(node)]))
        }
    }

    /// The value as a boolean; nil when the value is neither `true` nor `false`.
    public func bool(_ node: JSONNode) -> Bool? {
        switch kind(node) {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The value as a tree.
    public func value(_ node: JSONNode) -> JSONValue {
        // Walks from the last entry to the first. A container then finds its contents on the stack, so no recursion is
        // needed.
        var values: [JSONValue] = []
        var keys: [JSONString] = []
        for index in (node.index..<Int(tape[node.index].next)).reversed() {
            let entry = tape[index]
            if entry.isKey {
                keys.append(unescaped(entry))
                continue
            }
            let node = JSONNode(index)
            switch kind(node) {
            case .null: values.append(.null)
            case .true: values.append(.bool(true))
            case .false: values.append(.bool(false))
            case .string: values.append(.string(unescaped(entry)))
            case .number: values.append(number(node).map(JSONValue.number) ?? .null)
            case .array:
                var elements: [JSONValue] = []
                elements.reserveCapacity(entry.count)
                for _ in 0..<entry.count { elements.append(values.removeLast()) }
                values.append(.array(elements))
            case .object:
                var members: [JSONMember] = []
                members.reserveCapacity(entry.count)
                for _ in 0..<entry.count {
                    members.append(JSONMember(key: keys.removeLast(), value: values.removeLast()))
                }
                values.append(.object(members))
            }
        }
        return values[0]
    }

    /// Line and column, both counted from 1, of the byte at an offset; columns count Unicode scalars.
    public func position(_ offset: Int) -> (line: Int, column: Int) {
        bytes.withUnsafeBufferPointer { TextPosition.of(offset, in: $0) }
    }

    /// Line and column of a value's first byte.
    public func position(of node: JSONNode) -> (line: Int, column: Int) { position(range(node).lowerBound) }

    /// The text of a string or key entry without escapes.
    func unescaped(_ entry: TapeEntry) -> JSONString {
        bytes.withUnsafeBufferPointer {
            JSONString(checked: UnsafeBufferPointer(rebasing: $0[entry.inner]), escaped: entry.hasEscapes)
        }
    }
}
