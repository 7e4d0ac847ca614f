import ArgumentParser
import HouseholdAgent

/// `hearth conflicts [PROFILE]`: lists what waits for the player's decision.
struct Conflicts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what was written differently on two machines and waits for you.",
        discussion: """
            Until you decide, each machine keeps its own value; everything else stays in step. Also named is what was \
            spent on two machines at once below zero; there is nothing to decide about that.

            Examples:
              hearth conflicts
              hearth conflicts "My game" --json
            """
    )

    @Argument(help: "The save's name or id; else all of them.", completion: .save)
    var profile: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(ConflictsRequest(profile: profile))
        try shared.print(answer, ConflictText.text(answer.conflicts, now: LocalTime.now))
    }
}
