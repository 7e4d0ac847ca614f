package import HouseholdAgent
package import MergeCore

/// A short summary of a save, printed below the line that says it is here.
package enum SummaryText {
    /// - Parameter now: The present time.
    package static func text(_ summary: SummaryReport, now: WallTime) -> String {
        var text = ""
        if let time = summary.lastPlayed {
            let place = summary.device.map { " on \(PlainText.line($0))" } ?? ""
            text += "  last played \(PastTime.words(WallTime(milliseconds: time), now: now))\(place)\n"
        }
        let fields = summary.fields.map { field in
            let value = PlainText.line(field.value)
            return "\(PlainText.line(field.place)) \(value.count > 40 ? value.prefix(39) + "…" : value)"
        }
        if !fields.isEmpty { text += "  \(fields.joined(separator: ", "))\n" }
        return text
    }
}
