import ArgumentParser
import HouseholdAgent
import LocalFiles

/// `hearth move PROFILE FILE`: tells Hearth where a save's file has been moved to.
struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say where a save's file has moved to.",
        discussion: """
            Move or rename the file first, then say so here. It stays the same save, with its history and its backups; \
            what the file holds beyond what was seen last counts as played. On the other machines nothing changes.

            Examples:
              hearth move "My game" ~/new/save.json
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Argument(help: ArgumentHelp("Where the file is now.", valueName: "file"), completion: .file())
    var file: String

    @Flag(help: "Keep it there even where another tool syncs that folder.")
    var anyway = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("FILE is empty; name the file.") }
    }

    func run() async throws {
        let path = FilePath.absolute(file)
        let answer = try await shared.ask(MoveRequest(profile: profile, path: path, anyway: anyway))
        try shared.print(
            answer, "\(PlainText.line(answer.profile.name)) is kept in step here: \(PlainText.line(path))\n")
        if answer.profile.state != "good", let reason = answer.profile.reason {
            Console.note("note: \(PlainText.line(reason))")
        }
    }
}
