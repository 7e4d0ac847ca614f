package import HouseholdAgent

/// The text of `hearth doctor`: one line for each thing that is well, and for each thing that is not a sentence, with the
/// command to begin with on a line of its own, so that it can be copied.
package struct DoctorText {
    /// The width where standard output is no terminal.
    package static let usualColumns = 80

    private let report: DoctorReport
    private let style: Style
    /// The number of columns that a line may have. A command may have more.
    package var columns = DoctorText.usualColumns

    package init(_ report: DoctorReport, style: Style) { (self.report, self.style) = (report, style) }

    /// The whole text, with a line end.
    package var text: String { report.findings.map(lines).joined() + verdict }

    private func lines(_ finding: FindingReport) -> String {
        let about = finding.about.map { PlainText.line($0) + ": " } ?? ""
        // A question about a save has a line for each of its answers, which are commands.
        var sentences = finding.sentence.split(separator: "\n").map { PlainText.line(String($0)) }
        if !sentences.isEmpty { sentences[0] = about + sentences[0] }
        if finding.command != nil, !sentences.isEmpty { sentences[sentences.count - 1] += ":" }
        let mark = finding.ok ? style(.good, "✓") : style(.bad, "✗")
        let command = finding.command.map { "      \(PlainText.line($0))\n" } ?? ""
        let lines = sentences.flatMap(wrapped)
        return mark + " " + lines.joined(separator: "\n  ") + "\n" + command
    }

    /// The words in lines that are two columns shorter than they may be, because a mark stands before them.
    private func wrapped(_ words: String) -> [String] {
        var lines: [String] = []
        for word in words.split(separator: " ") {
            if let last = lines.last, TextTable.width(last) + 1 + TextTable.width(String(word)) <= columns - 2 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    private var verdict: String {
        let faults = report.findings.count(where: { !$0.ok })
        switch faults {
        case 0: return style(.good, "All is well.") + "\n"
        case 1: return style(.strong, "One thing is wrong.") + "\n"
        default: return style(.strong, "\(faults) things are wrong.") + "\n"
        }
    }
}
