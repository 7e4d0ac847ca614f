import ArgumentParser
import HouseholdAgent

/// `hearth sync [PROFILE]`: bring everybody in step now, and say the truth about it.
struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring one save, or all, in step now.",
        discussion: "Done means done: while any machine of the household is behind, the exit code is 1."
    )

    @Argument(help: "The save's name or id; all of them where nothing is given.")
    var profile: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let reply = try await Waiting.show("waiting for the other machines", shared) {
            try await shared.ask(.sync(profile: profile))
        }
        guard case .synced(let report) = reply else { throw CommandFailure.unexpected(reply) }
        try shared.print(reply, report.inStep.isEmpty ? "" : "In step: \(Self.names(report.inStep)).\n")
        guard report.behind.isEmpty else {
            throw CommandFailure(
                "not everybody is in step; behind: \(Self.names(report.behind))",
                "switch them on, or see why with: hearth status"
            )
        }
    }

    private static func names(_ names: [String]) -> String { names.map(PlainText.line).joined(separator: ", ") }
}
