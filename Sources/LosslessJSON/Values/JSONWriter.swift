/// How written JSON is spaced.
struct JSONLayout {
    /// Containers spread over lines.
    struct Lines {
        var newline: [UInt8]
        /// What one level of nesting adds to the indent.
        var unit: [UInt8]
    }

    /// The text between a key and its value, such as `: `.
    var colon: [UInt8]
    /// The text between two entries on one line, such as `, `.
    var comma: [UInt8]
    /// Nil writes everything on one line.
    var lines: Lines?

    /// No white space at all.
    static let compact = JSONLayout(colon: [UInt8(ascii: ":")], comma: [UInt8(ascii: ",")], lines: nil)
}

/// Writes values as JSON text.
struct JSONWriter {
    /// The bytes of the longest indent. What is nested deeper stands on one line: where each of five hundred levels is
    /// indented further, a value of one byte takes a quarter of a megabyte.
    static let longestIndent = 128

    let layout: JSONLayout
    /// Whether members are sorted by key and numbers are written in their canonical spelling.
    let isCanonical: Bool
    var output: [UInt8] = []

    init(layout: JSONLayout, isCanonical: Bool = false) {
        self.layout = layout
        self.isCanonical = isCanonical
    }

    /// Appends a value that starts on a line with the given indent; with `nil` all of it goes on that line.
    mutating func write(_ value: JSONValue, indent: [UInt8]? = []) {
        switch value {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let number): output += (isCanonical ? number.canonicalText : number.text).utf8
        case .string(let string): string.write(to: &output)
        case .array(let elements):
            open("[")
            let inner = innerIndent(indent)
            for (index, element) in elements.enumerated() {
                separate(index, indent: inner)
                write(element, indent: inner)
            }
            close("]", indent: elements.isEmpty || inner == nil ? nil : indent)
        case .object(let members):
            open("{")
            let inner = innerIndent(indent)
            for (index, member) in (isCanonical ? JSONValue.sortedByKey(members[...]) : members).enumerated() {
                separate(index, indent: inner)
                write(member, indent: inner)
            }
            close("}", indent: members.isEmpty || inner == nil ? nil : indent)
        }
    }

    /// Appends a key, the colon and the value.
    mutating func write(_ member: JSONMember, indent: [UInt8]?) {
        member.key.write(to: &output)
        output += layout.colon
        write(member.value, indent: indent)
    }

    /// The indent of the lines inside a container; `nil` where it stands on one line.
    private func innerIndent(_ indent: [UInt8]?) -> [UInt8]? {
        guard let lines = layout.lines, let indent, indent.count + lines.unit.count <= Self.longestIndent else {
            return nil
        }
        return indent + lines.unit
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        output.append(UInt8(ascii: bracket))
    }

    private mutating func separate(_ index: Int, indent: [UInt8]?) {
        if let lines = layout.lines, let indent {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += lines.newline
            output += indent
        } else if index > 0 {
            output += layout.comma
        }
    }

    /// - Parameter indent: That of the bracket's line; `nil` where it has none of its own.
    private mutating func close(_ bracket: Unicode.Scalar, indent: [UInt8]?) {
        if let lines = layout.lines, let indent {
            output += lines.newline
            output += indent
        }
        output.append(UInt8(ascii: bracket))
    }
}
