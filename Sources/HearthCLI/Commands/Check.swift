import ArgumentParser
import LosslessJSON

/// `hearth check FILE…`: strict validation of JSON files.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether files are sound JSON, and say where they are not.",
        discussion: """
            Stricter than most games: equal keys in one object, invalid UTF-8, trailing commas and the like are \
            errors, each with line and column. '-' is standard input.
            """
    )

    @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file())
    var files: [String]

    @Flag(help: "Print one JSON object a file.")
    var json = false

    func run() throws {
        var bad = 0
        for file in files {
            do throws(CommandFailure) {
                _ = try JSONInput.read(file)
                try report(file, nil)
            } catch {
                bad += 1
                try report(file, error)
            }
        }
        if bad > 0 { throw ExitCode(ExitCodes.failed) }
    }

    private func report(_ file: String, _ failure: CommandFailure?) throws(CommandFailure) {
        let line: [UInt8]
        if json {
            line = ReplyJSON.line(
                event: "checked",
                [
                    "file": .text(file), "ok": .bool(failure == nil),
                    "line": failure?.place.map { JSONValue.number(JSONNumber($0.line)) },
                    "column": failure?.place.map { JSONValue.number(JSONNumber($0.column)) },
                    "message": failure.map { .text(PlainText.line($0.what)) },
                ]
            )
        } else {
            if let failure { return failure.print() }
            line = Array("\(PlainText.line(file)): ok\n".utf8)
        }
        try Console.result(line)
    }
}
