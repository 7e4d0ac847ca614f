package import HouseholdAgent

/// The text of `hearth restore` for several saves: what became of each, and what to do about those that have no file.
package struct RestoredText {
    private let saves: [RestoredSave]

    package init(_ answer: RestoredSaves) { saves = answer.saves }

    /// - Parameter columns: The columns of the terminal; `nil` where there is none.
    package func text(_ style: Style, columns: Int? = nil) -> String {
        guard !saves.isEmpty else { return "No save is kept in this household yet.\n" }
        var table = TextTable(["save", "", "file"])
        for save in saves {
            table.rows.append([
                TextTable.Cell(PlainText.line(save.profile), .strong), Self.word(save.outcome),
                TextTable.Cell(PlainText.line(save.file ?? "none")),
            ])
        }
        table.fit(columns)
        var text = table.text(style)
        for save in saves where save.outcome == .failed {
            text += "  \(PlainText.line(save.profile)): \(PlainText.line(save.message ?? "no reason is known"))\n"
        }
        return text + sum
    }

    private static func word(_ outcome: RestoredSave.Outcome) -> TextTable.Cell {
        switch outcome {
        case .restored: TextTable.Cell("✓ is here now", .good)
        case .here: TextTable.Cell("· was here before", .faint)
        case .failed: TextTable.Cell("! not restored", .warning)
        }
    }

    private func count(_ outcome: RestoredSave.Outcome) -> Int { saves.count { $0.outcome == outcome } }

    private var sum: String {
        let (restored, here, failed) = (count(.restored), count(.here), count(.failed))
        var parts: [String] = []
        if restored > 0 || here == 0 && failed == 0 { parts.append("\(restored) restored, and kept in step") }
        if here > 0 { parts.append("\(here) here before") }
        if failed > 0 { parts.append("\(failed) not restored") }
        return parts.joined(separator: "; ") + ".\n"
    }

    /// Why not every save has a file, as an error with its exit code; `nil` where each has one. The answer itself, which
    /// `--json` prints, says it as well.
    var failure: CommandFailure? {
        let failed = count(.failed)
        guard failed > 0 else { return nil }
        let whatToDo = "what to do is said above"
        var failure = CommandFailure(
            "\(failed) of \(saves.count) saves could not be restored",
            failed == saves.count ? whatToDo : "the others are here; \(whatToDo)")
        failure.isReported = true
        return failure
    }
}
