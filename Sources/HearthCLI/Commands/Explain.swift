import ArgumentParser
import HouseholdAgent

/// `hearth explain PROFILE PLACE`: says why a place has its value.
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say why a place of a save shows what it shows.",
        discussion: """
            Examples:
              hearth explain "My game" /coins
              hearth explain "My game" "/heroes/0/xp"
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Argument(help: ArgumentHelp("A place in it, such as /coins (JSON Pointer).", valueName: "place"))
    var pointer: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let report = try await shared.ask(ExplainRequest(profile: profile, pointer: pointer))
        try shared.print(report, ExplainText.text(report))
    }
}
