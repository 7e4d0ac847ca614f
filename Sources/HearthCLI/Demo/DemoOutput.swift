import AgentRuntime
import LosslessJSON

/// What the demo reports while it runs: sentences for a person, or one JSON object on each line.
struct DemoOutput: Sendable {
    let json: Bool
    let style: Style

    func begin(_ folder: String, keeping: Bool) throws {
        try tell(
            event: "demo",
            ["folder": .text(folder)],
            """
            \(style(.strong, "Two machines of one home, played apart and brought together."))
            Everything here is real: two agents, mutual TLS, mDNS on the loopback interface. Nothing of yours is \
            touched.


            """
        )
        if keeping, !json { try Console.result(style(.faint, "  everything is kept in \(folder)\n")) }
    }

    func ready(_ machine: DemoMachine, _ line: JSONValue, process: Int32?) throws {
        var port = "?"
        if case .number(let number)? = line["port"] { port = number.text }
        try tell(
            event: "ready",
            [
                "machine": .text(machine.name), "device": line["device"], "port": line["port"],
                "process": process.map { .number(JSONNumber(Int($0))) }, "home": .text(machine.home.path),
            ],
            step("\(machine.name)'s agent is up", "process \(process.map(String.init) ?? "?"), port \(port)")
        )
    }

    func code(_ code: String, on machine: DemoMachine) throws {
        try tell(
            event: "code",
            ["machine": .text(machine.name), "code": .text(code)],
            step("\(machine.name) shows a pairing code", PlainText.line(code))
        )
    }

    func paired(how: String) throws {
        try tell(
            event: "paired",
            ["discovery": .text(how)],
            step("the two found each other and are paired", "mDNS, \(PlainText.line(how))")
        )
    }

    func shared() throws {
        try tell(
            event: "shared",
            ["profile": .text(DemoStory.profile)],
            step("the save \"\(DemoStory.profile)\" is on both", "added on the Laptop, restored on the Desktop")
        )
    }

    func apart() throws {
        try tell(event: "apart", [:], step("both agents are stopped", "the machines are apart now"))
    }

    func played() throws {
        try tell(event: "played", [:], step("the game is played on both, offline", "and both are started again …"))
    }

    func done(_ outcome: DemoPlay.Outcome, _ stage: DemoStage) throws {
        let milliseconds = Self.milliseconds(outcome.together)
        guard !json else {
            let files = [stage.laptop, stage.desktop].map { machine -> JSONValue in
                let document = machine.document()
                return [
                    "machine": .text(machine.name), "path": .text(machine.save),
                    "right": .bool(document.map { DemoStory.wrong(machine.machine, in: $0).isEmpty } ?? false),
                    "save": document.map { $0.value($0.root) } ?? .null,
                ]
            }
            return try Console.result(
                ReplyJSON.line(
                    event: "done",
                    [
                        "converged": true, "milliseconds": .number(JSONNumber(milliseconds)),
                        "discovery": .text(outcome.discovery), "files": .array(files),
                    ]
                )
            )
        }
        var table = TextTable(["", "before", "Laptop played", "Desktop played", "now", "why"])
        for field in DemoStory.fields { table.rows.append(Self.row(field, stage)) }
        // On a narrow terminal, drop the last column rather than break lines.
        if let width = Console.width, table.width + 2 > width { table.removeLastColumn() }
        try Console.result(
            """

            \(table.text(style, indent: "  "))
              \(style(.good, "✓")) Both files are right, \(style(.strong, Self.seconds(milliseconds))) after the \
            agents were started again \
            \(style(.faint, "(\(PlainText.line(outcome.discovery)))")).
                Nobody's progress was lost, nothing counted twice, and there is no conflict file.

              Your turn:  hearth agent   ·   hearth pair   ·   hearth add FILE


            """
        )
    }

    /// A row of the table, read from the two files as they are now.
    private static func row(_ field: DemoStory.Field, _ stage: DemoStage) -> [TextTable.Cell] {
        let values = [stage.laptop, stage.desktop].map { machine -> String in
            guard let file = machine.document(), let node = file.node(at: JSONPointer(tokens: field.pointer)) else {
                return "–"
            }
            return words(file.value(node))
        }
        // The order of a union may differ between the files.
        let same = Set(values.map { $0.split(separator: ", ").sorted() }).count == 1
        return [
            TextTable.Cell(field.name, .strong), TextTable.Cell(field.before, .faint),
            TextTable.Cell(field.played[.laptop] ?? ""), TextTable.Cell(field.played[.desktop] ?? ""),
            TextTable.Cell(same ? values[0] : values.joined(separator: " / "), .good),
            TextTable.Cell(field.rule, .faint),
        ]
    }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): PlainText.line(text.string)
        case .number(let number): number.text
        case .array(let elements): elements.map(words).joined(separator: ", ")
        default: PlainText.json(value.jsonBytes)
        }
    }

    private func step(_ what: String, _ detail: String) -> String {
        "  \(style(.good, "•")) \(what)  \(style(.faint, detail))\n"
    }

    private func tell(event: String, _ members: KeyValuePairs<JSONString, JSONValue?>, _ sentence: String) throws {
        if json {
            try Console.result(ReplyJSON.line(event: event, members))
        } else {
            try Console.result(sentence)
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private static func seconds(_ milliseconds: Int) -> String {
        let hundredths = milliseconds / 10
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
}
