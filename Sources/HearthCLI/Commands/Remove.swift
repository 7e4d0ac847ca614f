import ArgumentParser
import HouseholdAgent

/// `hearth remove PROFILE`: stops keeping a save on this machine.
struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop keeping a save in step on this machine.",
        discussion: """
            The file stays as it is, and so does the save on the other machines; this one still passes it on between \
            them. To stop keeping it on every machine, use 'hearth forget'.

            Examples:
              hearth remove "My game"
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(RemoveRequest(profile: profile))
        try shared.print(
            answer,
            "\(PlainText.line(answer.profile.name)) is no longer kept in step here; its file stays as it is.\n"
        )
    }
}
