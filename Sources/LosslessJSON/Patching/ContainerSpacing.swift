/// The white space inside one object or array that is not empty.
struct ContainerSpacing {
    /// Between the opening bracket and the first entry.
    let lead: ArraySlice<UInt8>
    /// Between the last entry and the closing bracket.
    let tail: ArraySlice<UInt8>
    /// Between the first two entries, comma included; empty when there is only one.
    let gap: ArraySlice<UInt8>

    init(_ document: JSONDocument, _ node: JSONNode) {
        let (bytes, tape) = (document.bytes, document.tape)
        let container = tape[node.index]
        let step = document.kind(node) == .object ? 1 : 0
        let first = tape[node.index + 1]
        let firstValue = tape[node.index + 1 + step]
        lead = bytes[Int(container.start) + 1..<Int(first.start)]
        if container.count > 1 {
            gap = bytes[Int(firstValue.end)..<Int(tape[Int(firstValue.next)].start)]
        } else {
            gap = []
        }
        let close = Int(container.end) - 1
        var start = close
        while bytes[start - 1] <= 0x20 { start -= 1 }
        tail = bytes[start..<close]
    }

    /// How entries are spread over lines, or nil when the first one follows its bracket on the same line.
    func lines(style: DocumentStyle?) -> JSONLayout.Lines? {
        guard let newline = DocumentStyle.newline(in: lead) else { return nil }
        return JSONLayout.Lines(newline: newline, unit: unit ?? style?.unit ?? [0x20, 0x20])
    }

    /// The white space that this container adds to the indent of its own line; nil when the space at its brackets does
    /// not show that.
    var unit: [UInt8]? {
        guard let inner = DocumentStyle.indent(in: lead), let own = DocumentStyle.indent(in: tail),
            inner.starts(with: own)
        else { return nil }
        return Array(inner.dropFirst(own.count))
    }
}
