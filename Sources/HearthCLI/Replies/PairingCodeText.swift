package import HouseholdAgent

/// The pairing code in a frame, easy to read from a distance.
package enum PairingCodeText {
    package static func text(_ message: PairingCodeMessage, _ style: Style) -> String {
        let code = PlainText.line(message.code)
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
            \(otherWay(code, message.addresses ?? []))  Waiting for it …


            """
    }

    /// The command with the address of this machine, for a network in which the other one does not find it: one that passes
    /// on no multicast, for example. Empty where no address is known.
    private static func otherWay(_ code: String, _ addresses: [String]) -> String {
        guard let first = addresses.first else { return "" }
        // Some shells take brackets for a pattern.
        let typed = first.contains("[") ? "'\(PlainText.line(first))'" : PlainText.line(first)
        let others = addresses.dropFirst().map { PlainText.line($0) }.joined(separator: " or ")
        return """
              If it does not find this one:
                  hearth pair \(code) --address \(typed)
            \(others.isEmpty ? "" : "      (or, in another network, \(others))\n")
            """
    }
}
