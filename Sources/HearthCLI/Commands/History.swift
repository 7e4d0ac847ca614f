import ArgumentParser
import HouseholdAgent

/// `hearth history PROFILE [PLACE]`: lists what happened to a save.
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what happened to a save, the newest first.",
        discussion: """
            One line a step: its number, when it happened on this machine, whose play it was, and what changed. \
            'hearth undo NAME NUMBER' takes a step back. The newest 1,000 steps are kept.

            Examples:
              hearth history "My game"
              hearth history "My game" /coins --limit 100
              hearth undo "My game" 12
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Argument(help: ArgumentHelp("A place in it, such as /coins; else everything.", valueName: "place"))
    var pointer: String?

    @Option(help: ArgumentHelp("Most steps to list, 1 to 1000.", valueName: "count"))
    var limit = 20

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard 1...1_000 ~= limit else { throw ValidationError("--limit takes 1 to 1000.") }
    }

    func run() async throws {
        let answer = try await shared.ask(HistoryRequest(profile: profile, pointer: pointer, limit: limit))
        try shared.print(answer, HistoryText.text(answer.history, local: LocalTime.text))
    }
}
