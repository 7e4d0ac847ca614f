/// One picture for the terminal: rows of text, in tones.
struct Frame: Equatable, Sendable {
    enum Tone: String, Sendable {
        case plain = ""
        case strong = "1"
        case faint = "2"
        case warning = "33"
        case right = "1;30;42"
        case wrong = "1;30;43"
        case absent = "37;100"
        case tile = "1;37;44"
    }

    struct Span: Equatable, Sendable {
        var text: String
        var tone: Tone
    }

    /// The columns and rows that every screen fits into.
    static let width = 78
    static let height = 23

    private(set) var rows: [[Span]] = []

    /// Adds a row with one text.
    mutating func add(_ text: String = "", _ tone: Tone = .plain) { add([Span(text: text, tone: tone)]) }

    mutating func add(_ spans: [Span]) { rows.append(spans) }

    /// Adds a row with a text at the left end and one at the right end.
    mutating func add(_ left: String, right: String, _ tone: Tone = .plain) {
        let gap = String(repeating: " ", count: max(1, Self.width - left.count - right.count))
        add(left + gap + right, tone)
    }

    /// Adds a row whose text is centred.
    mutating func add(centered spans: [Span]) {
        let count = spans.reduce(0) { $0 + $1.text.count }
        add([Span(text: String(repeating: " ", count: max(0, (Self.width - count) / 2)), tone: .plain)] + spans)
    }

    /// Adds empty rows up to this row.
    mutating func fill(to row: Int) { while rows.count < row { add() } }

    /// The terminal codes that draw the picture over the former one without flickering.
    func text(columns: Int, rows height: Int, isColoured: Bool) -> String {
        let margin = max(0, (columns - Self.width) / 2)
        var text = "\u{1B}[?2026h\u{1B}[H"
        for (number, row) in rows.prefix(max(1, height)).enumerated() {
            if number > 0 { text += "\r\n" }
            var left = columns - margin
            text += String(repeating: " ", count: margin)
            for span in row where left > 0 {
                let part = String(span.text.prefix(left))
                left -= part.count
                let isPlain = !isColoured || span.tone == .plain || part.isEmpty
                text += isPlain ? part : "\u{1B}[\(span.tone.rawValue)m\(part)\u{1B}[0m"
            }
            text += "\u{1B}[K"
        }
        return text + "\u{1B}[J\u{1B}[?2026l"
    }
}

extension String {
    /// The text without characters that could move the cursor or hide text, and cut to a length: names come from other
    /// devices.
    func plain(_ limit: Int = 20) -> String {
        let scalars = unicodeScalars.lazy.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars.prefix(limit * 4))
        return String(String(text).prefix(limit))
    }

    /// The text filled with spaces, or cut, to this width.
    func padded(_ width: Int) -> String {
        let text = prefix(width)
        return text + String(repeating: " ", count: width - text.count)
    }

    func padded(left width: Int) -> String {
        let text = prefix(width)
        return String(repeating: " ", count: width - text.count) + text
    }
}
