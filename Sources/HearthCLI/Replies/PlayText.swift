package import HouseholdAgent
import LosslessJSON

/// The line that `hearth play` prints after the game.
package struct PlayText {
    private let seconds: Int64
    private let report: PlayedReport?

    /// - Parameter report: The agent's report; `nil` where no agent answered.
    package init(seconds: Int64, report: PlayedReport?) {
        self.seconds = max(0, seconds)
        self.report = report
    }

    /// The line in words: `12 s played; 3 fields changed; laptop has it`.
    package var words: String {
        guard let report else {
            return "\(time) played without Hearth; once its agent runs, it reads what changed in the saves it keeps"
        }
        if report.isPaused == true { return "\(time) played; \(Self.pausedWords)" }
        let changed =
            switch report.changed {
            case 0: "nothing changed"
            case 1: "1 field changed"
            default: "\(report.changed) fields changed"
            }
        var parts = ["\(time) played", changed]
        if let trouble = report.trouble { parts.append(PlainText.line(trouble)) }
        if !report.inStep.isEmpty {
            parts.append("\(names(report.inStep)) \(report.inStep.count > 1 ? "have" : "has") it")
        }
        if let files = report.filesBehind {
            let isOne = files.count == 1
            parts.append(
                "\(names(files)) \(isOne ? "has it, but its file does" : "have it, but their files do") not show it yet "
                    + "('hearth status' there says why)")
        }
        if !report.behind.isEmpty {
            parts.append(
                "\(names(report.behind)) \(report.behind.count > 1 ? "get" : "gets") it when it can be reached")
        }
        for sentence in report.held ?? [] { parts.append(PlainText.line(sentence)) }
        return parts.joined(separator: "; ")
    }

    /// The line as JSON.
    var json: String {
        func list(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.text)) }
        let line = ReplyJSON.line(
            event: "played",
            [
                "seconds": .number(JSONNumber(Int(seconds))),
                "changed": report.map { .number(JSONNumber($0.changed)) },
                "inStep": report.map { list($0.inStep) }, "behind": report.map { list($0.behind) },
                "filesBehind": report?.filesBehind.map(list), "held": report?.held.map(list),
                "trouble": report?.trouble.map(JSONValue.text),
                "paused": report?.isPaused.map(JSONValue.bool),
            ]
        )
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    private static let pausedWords =
        "sync of this save is paused: what was played is in its file alone and goes to the other devices after hearth resume"

    private var time: String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        default: "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
        }
    }

    private func names(_ names: [String]) -> String {
        let names = names.map(PlainText.line)
        guard names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }
}
