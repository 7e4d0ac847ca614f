import ArgumentParser
import HouseholdAgent

/// `hearth resolve PROFILE PLACE NUMBER`: decides a conflict.
struct Resolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decide between values that were written on different machines.",
        discussion: """
            The value you take is taken on every machine. 'hearth conflicts' lists them with their numbers.

            Examples:
              hearth conflicts
              hearth resolve "My game" /ending 2
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Argument(help: ArgumentHelp("The place, as 'hearth conflicts' names it.", valueName: "place"))
    var pointer: String

    @Argument(help: ArgumentHelp("Which of the values, from 1.", valueName: "number"))
    var choice: Int

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(ResolveRequest(profile: profile, pointer: pointer, choice: choice))
        try shared.print(answer, "\(PlainText.line(answer.profile.name)) \(pointer) is decided.\n")
    }
}
