package import HouseholdAgent

package enum ExplainText {
    package static func text(_ report: ExplainReport) -> String {
        var text = PlainText.line(report.sentence) + "\n"
        for part in report.contributions where !part.counts {
            text += "  not counted: \(PlainText.line(part.device)) \(PlainText.line(part.text))\n"
        }
        return text
    }
}
