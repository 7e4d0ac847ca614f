package import HouseholdAgent
package import MergeCore

/// The history of a save, one line for each step.
package enum HistoryText {
    /// - Parameter local: Writes a time in the player's time zone.
    package static func text(_ steps: [HistoryReport], local: (WallTime) -> String) -> String {
        guard !steps.isEmpty else { return "Nothing of that is in the newest 1,000 steps.\n" }
        let rows = steps.map { step in
            [
                "\(step.number)", local(WallTime(milliseconds: step.time)),
                step.devices.map(PlainText.line).joined(separator: ", "),
                StepWords.words(step.origin),
            ]
        }
        var widths = [0, 0, 0, 0]
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], TextTable.width(cell)) }
        }
        var text = ""
        for (row, step) in zip(rows, steps) {
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - TextTable.width(cell))
                text += (column == 0 ? space + cell : cell + space) + "  "
            }
            text += ChangeText.line(step.changes, more: step.more) + kept(step) + "\n"
        }
        return text
    }

    /// The places that the save lowered and whose rules kept the former value, as the end of the line of a step.
    private static func kept(_ step: HistoryReport) -> String {
        guard let lowered = step.lowered, !lowered.isEmpty else { return "" }
        let more = step.moreLowered.map { " and \($0) more" } ?? ""
        let places = lowered.map(PlainText.line).joined(separator: ", ")
        return "; kept by its rule, though the game changed it: \(places)\(more)"
    }
}
