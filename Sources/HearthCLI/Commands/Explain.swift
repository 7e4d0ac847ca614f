import ArgumentParser
import HouseholdAgent

/// `hearth explain PROFILE PLACE`: why a value is what it is.
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say why a place of a save shows what it shows.")

    @Argument(help: "The save's name or id.")
    var profile: String

    @Argument(help: ArgumentHelp("A place in it, such as /coins (JSON Pointer).", valueName: "place"))
    var pointer: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let reply = try await shared.ask(.explain(profile: profile, pointer: pointer))
        guard case .explained(let report) = reply else { throw CommandFailure.unexpected(reply) }
        try shared.print(reply, ExplainText.text(report))
    }
}
