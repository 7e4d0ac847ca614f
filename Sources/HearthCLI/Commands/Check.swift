import ArgumentParser
import LosslessJSON

/// `hearth check FILE…`: strict validation of JSON files, and of rules beside them.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether files are sound JSON, and say where they are not.",
        discussion: """
            Stricter than most games: equal keys in one object, invalid UTF-8, trailing commas and the like are \
            errors, each with line and column. '-' is standard input. With --rules the rules of a rule file are \
            compared with the files as well: one that matches nothing, or cannot read what it matches, is named with \
            its line and column. Nothing is changed.

            Examples:
              hearth check save.json
              hearth check save.json --rules rules.yaml
              hearth check --json saves/a.json saves/b.json
            """
    )

    @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("Rules to compare with the files (YAML).", valueName: "file"), completion: .file())
    var rules: String?

    @Flag(help: "Print one JSON object a file.")
    var json = false

    func validate() throws {
        guard rules != nil, files.contains("-") else { return }
        throw ValidationError("--rules takes no standard input; name the file.")
    }

    func run() throws {
        _ = try rules.map(RuleInput.read)
        var bad = 0
        for file in files {
            do throws(CommandFailure) {
                _ = try JSONInput.read(file)
                let warnings = rules.map { RuleInput.warnings($0, for: file) } ?? []
                if !warnings.isEmpty { bad += 1 }
                try report(file, nil, warnings)
            } catch {
                bad += 1
                try report(file, error, [])
            }
        }
        if bad > 0 { throw ExitCode(ExitCodes.failed) }
    }

    /// - Parameter warnings: What does not fit in the rules.
    private func report(
        _ file: String, _ failure: CommandFailure?, _ warnings: [String]
    ) throws(CommandFailure) {
        let line: [UInt8]
        if json {
            line = ReplyJSON.line(
                event: "checked",
                [
                    "file": .text(file), "ok": .bool(failure == nil && warnings.isEmpty),
                    "line": failure?.place.map { JSONValue.number(JSONNumber($0.line)) },
                    "column": failure?.place.map { JSONValue.number(JSONNumber($0.column)) },
                    "message": failure.map { .text(PlainText.line($0.what)) },
                    "rules": rules.map { _ in .array(warnings.map { .text(PlainText.line($0)) }) },
                ]
            )
        } else {
            if let failure { return failure.print() }
            guard warnings.isEmpty else { return warnings.forEach { Console.note(PlainText.line($0)) } }
            line = Array("\(PlainText.line(file)): ok\n".utf8)
        }
        try Console.result(line)
    }
}
