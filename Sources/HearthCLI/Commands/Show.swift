import ArgumentParser
import HouseholdAgent

/// `hearth show PROFILE [POINTER]`: prints the merged save or a backup of it, or a part of that.
struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a save as it stands or as a backup has it, or one place in it.",
        discussion: """
            Examples:
              hearth show "My game"
              hearth show "My game" /levels/3/stars
              hearth show "My game" --backup 0000000012.backup
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Argument(help: ArgumentHelp("A place in it, such as /levels/3/stars (JSON Pointer).", valueName: "place"))
    var pointer: String?

    @Option(help: ArgumentHelp("Print this backup of it, as 'hearth backups' lists them.", valueName: "backup"))
    var backup: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(ShowRequest(profile: profile, pointer: pointer, backup: backup))
        if shared.json { return try Console.result(ReplyJSON.line(answer)) }
        let bytes = Array(answer.document.utf8)
        let end = bytes.last == UInt8(ascii: "\n") ? "" : "\n"
        if Console.isTerminal {
            try Console.result(PlainText.json(bytes) + end)
        } else {
            try Console.result(bytes + Array(end.utf8))
        }
    }
}
