import HearthTesting
import LosslessJSON

/// What came of `hearth simulate`, for people and as JSON.
enum SimulationText {
    /// A table of the rules, what was found, and the figures in the last line.
    static func text(_ result: Exploration, _ style: Style) -> String {
        var table = TextTable(["rule", "is", "apart", "for example"])
        for outcome in result.outcomes {
            table.rows.append([
                TextTable.Cell(shown(outcome.pattern ?? "(no rule)", 40)), TextTable.Cell(outcome.rule),
                TextTable.Cell("\(outcome.count)"), TextTable.Cell(shown(outcome.example, 90)),
            ])
        }
        let head =
            result.outcomes.isEmpty
            ? "no place was written by two devices apart\n"
            : "what came of places that two devices had written apart:\n\n" + table.text(style) + "\n"
        let failures = result.failures.map { failure in
            style(.bad, "seed \(failure.seed): \(PlainText.line(failure.finding.description))") + "\n"
                + "\(failure.scenario.steps.count) of \(failure.length) steps show it:\n\n"
                + lines("\(failure.timeline)") + "\n" + lines(failure.code) + "\n"
        }
        return head + failures.joined() + result.summary + "\n"
    }

    /// - Parameter warnings: What is in the rules and in no save.
    static func json(_ result: Exploration, warnings: [String] = []) -> [UInt8] {
        func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
        func counts(_ counts: [(kind: String, count: Int)]) -> JSONValue {
            .object(counts.map { JSONMember(key: JSONString($0.kind), value: number($0.count)) })
        }
        let outcomes = result.outcomes.map { outcome -> JSONValue in
            [
                "path": outcome.pattern.map { .text($0) } ?? .null, "rule": .text(outcome.rule),
                "apart": number(outcome.count), "example": .text(outcome.example),
            ]
        }
        let failures = result.failures.map { failure -> JSONValue in
            [
                // A seed may be larger than numbers are in some readers.
                "seed": .text("\(failure.seed)"), "kind": .text(failure.finding.kind.rawValue),
                "message": .text(failure.finding.description), "steps": number(failure.scenario.steps.count),
                "of": number(failure.length), "code": .text(failure.code), "timeline": .text("\(failure.timeline)"),
            ]
        }
        return ReplyJSON.line(
            event: "simulated",
            [
                "ok": .bool(result.isClean), "runs": number(result.runs), "steps": number(result.steps),
                "judged": number(result.judged), "failed": number(result.failed),
                "kinds": counts(result.kinds), "faults": counts(result.faults),
                "rules": .array(outcomes), "warnings": .array(warnings.map { .text($0) }),
                "failures": .array(failures), "digest": .text(result.digestText),
            ])
    }

    /// Text that a save may have put things into, line by line.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { PlainText.line(String($0)) }
            .joined(separator: "\n")
    }

    private static func shown(_ text: String, _ limit: Int) -> String {
        let line = PlainText.line(text)
        return line.count > limit ? line.prefix(limit - 1) + "…" : line
    }
}
