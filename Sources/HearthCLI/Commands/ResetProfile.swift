import ArgumentParser
import HouseholdAgent

/// `hearth reset PROFILE`: starts a save over on every machine.
struct ResetProfile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Start a save over, on every machine.",
        discussion: """
            Progress from before does not come back, wherever it was made; each machine keeps a backup of what it had. \
            Without a scope everything is reset that the rules name under 'resets', or, if they name nothing, the \
            whole save. First it is shown what would change.

            Examples:
              hearth reset "My game"
              hearth reset "My game" --scope progress
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Option(help: ArgumentHelp("What to start over: a name under 'resets' in its rules.", valueName: "scope"))
    var scope: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let act = ResetRequest(profile: profile, scope: scope)
        try await shared.confirm(act, refusal: "nothing was reset") { preview in
            "Start \(scope.map { "\($0) of " } ?? "")\(preview.profile) over on every machine?"
        }
        let answer = try await shared.ask(act)
        try shared.print(answer, "\(PlainText.line(answer.profile.name)) starts over.\n")
    }
}
