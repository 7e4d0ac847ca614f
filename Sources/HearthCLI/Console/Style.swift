/// Whether and how texts are coloured.
package struct Style: Sendable {
    package enum Tone: String, Sendable {
        case good = "32"
        case bad = "31"
        case warning = "33"
        case strong = "1"
        case faint = "2"
    }

    package var isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    /// Colours on a terminal, unless NO_COLOR is set (https://no-color.org) or TERM is `dumb`.
    static var standard: Style {
        let refused = Environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Style(isColoured: Console.isTerminal && !refused && Environment["TERM"] != "dumb")
    }

    package func callAsFunction(_ tone: Tone, _ text: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}
