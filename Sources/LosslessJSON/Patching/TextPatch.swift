/// Collects pieces of new text and puts them into the old.
struct TextPatch {
    /// New text in place of a range of the old.
    struct Replacement {
        var range: Range<Int>
        var text: [UInt8]
    }

    let document: JSONDocument
    /// The spacing of the document. Made when first needed: only new containers and new entries need spacing.
    lazy var style = DocumentStyle(document)
    /// The escapes of the document. Looked for when they are first needed.
    private lazy var escapes = EscapeStyle(document.bytes)
    /// How many bytes of new text may still be escaped as the document is: an escape takes up to three times the room,
    /// and others decide what is written here.
    private var escapable = 1 << 20
    var replacements: [Replacement] = []

    init(_ document: JSONDocument) {
        self.document = document
    }

    /// The patched text; ranges must not overlap.
    func applied() -> [UInt8] {
        text(of: 0..<document.bytes.count, replacements)
    }

    /// A part of the text as it is patched; `replacements` are those inside it.
    func text(of part: Range<Int>, _ replacements: [Replacement]) -> [UInt8] {
        let sorted = replacements.sorted { $0.range.lowerBound < $1.range.lowerBound }
        var output: [UInt8] = []
        output.reserveCapacity(part.count + sorted.reduce(0) { $0 + $1.text.count })
        var position = part.lowerBound
        for replacement in sorted {
            precondition(position <= replacement.range.lowerBound, "two edits overlap, though none were found to")
            output += document.bytes[position..<replacement.range.lowerBound]
            output += replacement.text
            position = replacement.range.upperBound
        }
        output += document.bytes[position..<part.upperBound]
        return output
    }

    /// Writes a value over another.
    mutating func replace(_ node: JSONNode, by value: JSONValue) {
        var lines: JSONLayout.Lines?
        var indent: [UInt8] = []
        if value.isFilledContainer {
            if document.count(node) > 0 {
                let spacing = ContainerSpacing(document, node)
                lines = spacing.lines(style: style)
                indent = DocumentStyle.indent(in: spacing.tail) ?? lineIndent(of: node) ?? []
            } else if let own = lineIndent(of: node) {
                lines = style.lines
                indent = own
            }
        }
        let layout = value.isFilledContainer ? style.layout(colon: nil, lines: lines) : .compact
        var writer = JSONWriter(layout: layout)
        writer.write(value, indent: indent)
        replacements.append(Replacement(range: document.range(node), text: escaped(writer.output)))
    }

    /// New text with the escapes of the document.
    private mutating func escaped(_ text: [UInt8]) -> [UInt8] {
        guard text.count <= escapable, EscapeStyle.matters(to: text) else { return text }
        escapable -= text.count
        return escapes.applied(to: text)
    }

    /// Takes entries out of a container and adds new ones after the last that stays.
    mutating func edit(_ edits: ContainerEdits) {
        let container = document.range(edits.node)
        guard document.count(edits.node) > 0 else {
            let inner = container.lowerBound + 1..<container.upperBound - 1
            replacements.append(Replacement(range: inner, text: filling(edits)))
            return
        }
        var removed = edits.removed[...]
        var keptEnd: Int?
        var pending: Int?
        var (first, lastStart, lastEnd, previousEnd) = (0, 0, 0, 0)
        for (position, child) in document.children(edits.node).enumerated() {
            let start = entryStart(child)
            if position == 0 { first = start }
            (previousEnd, lastStart) = (lastEnd, start)
            if removed.first == child.index {
                removed.removeFirst()
                if pending == nil { pending = keptEnd ?? start }
            } else {
                if let from = pending {
                    // A run of removed entries at the beginning is cut up to the start of the next entry. Any other run
                    // is cut from the end of the entry before it to the end of its own last entry.
                    replacements.append(Replacement(range: from..<(keptEnd == nil ? start : previousEnd), text: []))
                    pending = nil
                }
                keptEnd = document.range(child).upperBound
            }
            lastEnd = document.range(child).upperBound
        }
        let spacing = ContainerSpacing(document, edits.node)
        let gap = separator(spacing, lastGap: document.count(edits.node) > 1 ? previousEnd..<lastStart : nil)
        var text = joined(edits, spacing: spacing, gap: gap)
        if let keptEnd {
            guard !text.isEmpty || pending != nil else { return }
            if !text.isEmpty { text = gap + text }
            replacements.append(Replacement(range: keptEnd..<(pending == nil ? keptEnd : lastEnd), text: text))
        } else if text.isEmpty {
            replacements.append(Replacement(range: container.lowerBound + 1..<container.upperBound - 1, text: []))
        } else {
            replacements.append(Replacement(range: first..<lastEnd, text: text))
        }
    }

    /// The text between two entries of a container: a copy of the text between its last two entries, or, when it has
    /// only one, a comma and the white space before that entry.
    mutating func separator(_ spacing: ContainerSpacing, lastGap: Range<Int>?) -> [UInt8] {
        if let lastGap { return DocumentStyle.short(document.bytes[lastGap]) ?? [UInt8(ascii: ",")] }
        if spacing.lead.isEmpty { return style.inlineComma }
        return [UInt8(ascii: ",")] + (DocumentStyle.short(spacing.lead) ?? [])
    }

    /// The text of the new entries for a container that was not empty before the patch.
    mutating func joined(_ edits: ContainerEdits, spacing: ContainerSpacing, gap: [UInt8]) -> [UInt8] {
        guard !edits.inserts.isEmpty else { return [] }
        var lines: JSONLayout.Lines?
        if let newline = DocumentStyle.newline(in: gap[...]) {
            lines = JSONLayout.Lines(newline: newline, unit: spacing.unit ?? style.lines.unit)
        }
        let layout = style.layout(colon: lastColon(in: edits.node), lines: lines)
        return join(edits, layout: layout, gap: gap, indent: DocumentStyle.indent(in: gap[...]) ?? [])
    }

    /// The new contents of an empty container.
    mutating func filling(_ edits: ContainerEdits) -> [UInt8] {
        let inner = document.text(edits.node).dropFirst().dropLast()
        let own = DocumentStyle.indent(in: inner) ?? lineIndent(of: edits.node)
        guard let own else {
            return join(edits, layout: style.layout(colon: nil, lines: nil), gap: style.inlineComma, indent: [])
        }
        var lines = style.lines
        if let newline = DocumentStyle.newline(in: inner) { lines.newline = newline }
        let indent = own + lines.unit
        let start = lines.newline + indent
        let layout = style.layout(colon: nil, lines: lines)
        return start + join(edits, layout: layout, gap: [UInt8(ascii: ",")] + start, indent: indent) + lines.newline
            + own
    }

    private mutating func join(_ edits: ContainerEdits, layout: JSONLayout, gap: [UInt8], indent: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(layout: layout)
        for (position, insert) in edits.inserts.enumerated() {
            if position > 0 { writer.output += gap }
            if let key = insert.key {
                writer.write(JSONMember(key: key, value: insert.value), indent: indent)
            } else {
                writer.write(insert.value, indent: indent)
            }
        }
        return escaped(writer.output)
    }

    /// The text between key and value of an object's last member.
    private func lastColon(in node: JSONNode) -> [UInt8]? {
        guard document.kind(node) == .object else { return nil }
        var last: JSONNode?
        for child in document.children(node) { last = child }
        guard let last, let key = document.keyRange(of: last) else { return nil }
        return DocumentStyle.short(document.bytes[key.upperBound..<document.range(last).lowerBound])
    }

    /// Where an entry begins: at its key, or at its value in an array.
    private func entryStart(_ node: JSONNode) -> Int {
        (document.keyRange(of: node) ?? document.range(node)).lowerBound
    }

    /// The indent of the line that begins with this entry, or nil if there is something before it on the line.
    private func lineIndent(of node: JSONNode) -> [UInt8]? {
        guard node != document.root else { return nil }
        let end = entryStart(node)
        var start = end
        while start > 0, end - start <= DocumentStyle.longestGap,
            document.bytes[start - 1] == 0x20 || document.bytes[start - 1] == 0x09
        {
            start -= 1
        }
        guard start > 0, DocumentStyle.isNewline(document.bytes[start - 1]) else { return nil }
        return Array(document.bytes[start..<end])
    }
}
