/// The pairing code in a frame, easy to read from a distance.
package enum PairingCodeText {
    package static func text(_ code: String, _ style: Style) -> String {
        let code = PlainText.line(code)
        let spaced = code.map(String.init).joined(separator: " ")
        let empty = String(repeating: " ", count: TextTable.width(spaced) + 6)
        let bar = String(repeating: "━", count: TextTable.width(spaced) + 6)
        return """

              ┏\(bar)┓
              ┃\(empty)┃
              ┃   \(style(.strong, spaced))   ┃
              ┃\(empty)┃
              ┗\(bar)┛

              On the other machine, within five minutes:  \(style(.strong, "hearth pair \(code)"))
              Waiting for it …


            """
    }
}
