package import HouseholdAgent

/// The text of a sync's result: which devices are in step, which are not and why, and what to do about it.
package struct SyncText {
    private let report: SyncReport

    package init(_ report: SyncReport) { self.report = report }

    /// The devices in step and the saves that were left out, for standard output: whole lines, or nothing.
    package var words: String {
        var text = ""
        if !report.inStep.isEmpty {
            // The file of a save that is held for a running game shows the merge only later, so "In step" would be
            // wrong.
            let has = report.inStep.count > 1 ? "have" : "has"
            text +=
                report.held == nil
                ? "In step: \(Self.names(report.inStep)).\n" : "\(Self.names(report.inStep)) \(has) all of it.\n"
        }
        if report.inStep.isEmpty, fault == nil, report.paused == nil {
            text += "No save is kept here yet.\n"
        }
        if let paused = report.paused { text += "Left out, because paused here: \(Self.names(paused)).\n" }
        return text
    }

    /// The first thing that is wrong, the most pressing one first: sentence, remedy and code.
    package var fault: (code: FailureCode, what: String, remedy: String)? {
        if let decisions = report.decisions {
            return (.needsDecision, "not in step, because you have to decide: \(Self.list(decisions))", Self.see)
        }
        if let troubles = report.troubles {
            return (.failed, "not in step, because of a file on this machine: \(Self.list(troubles))", Self.see)
        }
        var parts: [String] = []
        if !report.behind.isEmpty { parts.append("behind: \(Self.names(report.behind))") }
        if let files = report.filesBehind {
            let own = files.count > 1 ? "have it, but their files do" : "has it, but its file does"
            parts.append(
                "\(Self.names(files)) \(own) not show it yet (a game runs there, or 'hearth status' there says why)")
        }
        // Others may wait for nothing, but this machine's file is not what it should be.
        if parts.isEmpty, let held = report.held {
            return (.failed, "not in step yet: \(Self.list(held))", "it is brought in then; see it with: hearth status")
        }
        parts += (report.held ?? []).map(PlainText.line)
        guard !parts.isEmpty else { return nil }
        let remedy =
            report.behind.isEmpty ? "see there with: hearth status" : "switch them on, or see why with: hearth status"
        return (.failed, "not everybody is in step; \(parts.joined(separator: "; "))", remedy)
    }

    /// Why not everything is in step, as an error with its exit code; `nil` where everything is. The report itself, which
    /// `--json` prints, says it as well.
    var failure: CommandFailure? {
        fault.map { fault in
            var failure = CommandFailure(fault.what, fault.remedy, code: fault.code)
            failure.isReported = true
            return failure
        }
    }

    private static let see = "see all of it with: hearth status"

    /// On one line: an answer of a question, which is a line of its own elsewhere, is parted from the next one.
    private static func list(_ sentences: [String]) -> String {
        sentences.flatMap { $0.split(separator: "\n") }.map { PlainText.line(String($0)) }.joined(separator: "; ")
    }

    private static func names(_ names: [String]) -> String { names.map(PlainText.line).joined(separator: ", ") }
}
