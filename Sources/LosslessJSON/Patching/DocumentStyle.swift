/// How a text spaces its JSON, as far as its first entries show; used where an edit has no siblings to imitate.
struct DocumentStyle {
    /// The number of tape entries that are looked at.
    private static let sample = 2_000
    /// White space longer than this is not imitated.
    static let longestGap = 1_024

    var newline: [UInt8]?
    var unit: [UInt8]?
    var colon: [UInt8]?
    var comma: [UInt8]?

    init(_ document: JSONDocument) {
        let tape = document.tape
        for index in 0..<min(tape.count, Self.sample) {
            let entry = tape[index]
            if entry.isKey {
                if colon == nil { colon = Self.short(document.bytes[Int(entry.end)..<Int(tape[index + 1].start)]) }
            } else if entry.count > 0 {
                let spacing = ContainerSpacing(document, JSONNode(index))
                if let lines = spacing.lines(style: nil) {
                    if newline == nil { newline = lines.newline }
                    if unit == nil { unit = spacing.unit }
                } else if comma == nil, entry.count > 1, let gap = Self.short(spacing.gap) {
                    comma = gap.contains(where: Self.isNewline) ? nil : gap
                }
            }
            if newline != nil, unit != nil, colon != nil, comma != nil { break }
        }
    }

    /// The comma and white space between two entries on one line.
    var inlineComma: [UInt8] {
        comma ?? Array((colon?.last == 0x20 ? ", " : ",").utf8)
    }

    /// The layout of a container inside an entry, given the lines around it.
    func layout(colon own: [UInt8]?, lines: JSONLayout.Lines?) -> JSONLayout {
        JSONLayout(
            colon: own ?? colon ?? Array((lines == nil ? ":" : ": ").utf8),
            comma: inlineComma,
            lines: lines
        )
    }

    /// The document's line end and unit, or the usual ones.
    var lines: JSONLayout.Lines {
        JSONLayout.Lines(newline: newline ?? [0x0A], unit: unit ?? [0x20, 0x20])
    }

    static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// The bytes of a gap; nil when there are more than ``longestGap``.
    static func short(_ gap: ArraySlice<UInt8>) -> [UInt8]? {
        gap.count <= longestGap ? Array(gap) : nil
    }

    /// The line end used in white space, or nil when it stays on one line.
    static func newline(in gap: ArraySlice<UInt8>) -> [UInt8]? {
        guard let last = gap.lastIndex(where: isNewline) else { return nil }
        if gap[last] == 0x0D { return [0x0D] }
        return last > gap.startIndex && gap[last - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
    }

    /// The spaces and tabs after the last line end, or nil when there is no line end or they are too many.
    static func indent(in gap: ArraySlice<UInt8>) -> [UInt8]? {
        guard let last = gap.lastIndex(where: isNewline) else { return nil }
        return short(gap[(last + 1)...].prefix { $0 == 0x20 || $0 == 0x09 })
    }
}
