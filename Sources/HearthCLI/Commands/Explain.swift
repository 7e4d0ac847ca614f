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
        try shared.print(reply, Self.text(report))
    }

    private static func text(_ report: ExplainReport) -> String {
        let aside = report.contributions.filter { !$0.counts }
        var text = PlainText.line(report.sentence) + "\n"
        for part in aside { text += "  not counted: \(PlainText.line(part.device)) \(PlainText.line(part.text))\n" }
        return text
    }
}
