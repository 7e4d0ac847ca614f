/// A table in a frame. Each column is as wide as its longest text.
package struct TextTable {
    /// A text and its colour.
    package struct Cell: ExpressibleByStringLiteral {
        package var text: String
        package var tone: Style.Tone?

        package init(_ text: String, _ tone: Style.Tone? = nil) {
            self.text = text
            self.tone = tone
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    package var head: [String]
    package var rows: [[Cell]] = []

    package init(_ head: [String]) { self.head = head }

    /// The number of terminal columns the whole table takes.
    package var width: Int { widths.reduce(1) { $0 + $1 + 3 } }

    package mutating func removeLastColumn() {
        head.removeLast()
        for index in rows.indices { rows[index].removeLast() }
    }

    /// Shortens the texts of the last column, so that the table fits. They are paths, whose ends tell them apart, so
    /// their beginnings are left out. A column of 12 stays.
    ///
    /// - Parameter columns: The columns of the terminal; `nil` where there is none, which takes lines of any length.
    package mutating func fit(_ columns: Int?) {
        guard let columns, let last = widths.last, width > columns else { return }
        let room = max(12, last - (width - columns))
        for index in rows.indices {
            var cell = rows[index][head.count - 1]
            guard Self.width(cell.text) > room else { continue }
            while Self.width(cell.text) > room - 1 { cell.text.removeFirst() }
            cell.text = "…" + cell.text
            rows[index][head.count - 1] = cell
        }
    }

    private var widths: [Int] {
        var widths = head.map(Self.width)
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], Self.width(cell.text)) }
        }
        return widths
    }

    /// - Parameter indent: Printed at the start of every line.
    package func text(_ style: Style, indent: String = "") -> String {
        let widths = widths
        func rule(_ left: String, _ middle: String, _ right: String) -> String {
            let runs = widths.map { String(repeating: "─", count: $0 + 2) }
            return indent + style(.faint, left + runs.joined(separator: middle) + right) + "\n"
        }
        func line(_ cells: [Cell]) -> String {
            let bar = style(.faint, "│")
            let parts = zip(cells, widths).map { cell, width in
                let space = String(repeating: " ", count: width - Self.width(cell.text))
                return " " + (cell.tone.map { style($0, cell.text) } ?? cell.text) + space + " "
            }
            return indent + bar + parts.joined(separator: bar) + bar + "\n"
        }
        var result = rule("╭", "┬", "╮") + line(head.map { Cell($0, .strong) }) + rule("├", "┼", "┤")
        for row in rows { result += line(row) }
        return result + rule("╰", "┴", "╯")
    }

    /// The number of terminal columns of a text: two for wide characters (East Asian scripts, emoji), one for others,
    /// none for combining marks.
    package static func width(_ text: String) -> Int {
        text.reduce(0) { width, character in
            guard let first = character.unicodeScalars.first else { return width }
            switch first.value {
            case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
                0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                return width + 2
            default:
                return width
                    + (first.properties.isEmojiPresentation
                        ? 2 : first.properties.generalCategory == .nonspacingMark ? 0 : 1)
            }
        }
    }
}
