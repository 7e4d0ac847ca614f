import ArgumentParser
import HouseholdAgent

/// `hearth sync [PROFILE]`: syncs now, and reports which devices are in step.
struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring one save, or all, in step now.",
        discussion: """
            Done means done: the files of the machines that are named hold the same. While any machine of the household \
            is behind, or a file on this one is not what it should be, the exit code is 1; it is 3 where you have to \
            decide something first.

            Examples:
              hearth sync
              hearth sync "My game" && echo "switch it off"
            """
    )

    @Argument(help: "The save's name or id; all of them where nothing is given.", completion: .save)
    var profile: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let report = try await Waiting.show("waiting for the other machines", shared) {
            try await shared.ask(SyncRequest(profile: profile))
        }
        let text = SyncText(report)
        try shared.print(report, text.words)
        if let failure = text.failure { throw failure }
    }
}
