import ArgumentParser
import HouseholdAgent

/// `hearth show PROFILE [POINTER]`: prints the merged save, or a part of it.
struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a save as it stands, or one place in it.",
        discussion: """
            Examples:
              hearth show "My game"
              hearth show "My game" /levels/3/stars
            """
    )

    @Argument(help: "The save's name or id.")
    var profile: String

    @Argument(help: ArgumentHelp("A place in it, such as /levels/3/stars (JSON Pointer).", valueName: "place"))
    var pointer: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(ShowRequest(profile: profile, pointer: pointer))
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
