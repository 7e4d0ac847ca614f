import ArgumentParser
import HouseholdAgent

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `hearth conflicts [PROFILE]`: what waits for the player's decision.
struct Conflicts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what was written differently on two machines and waits for you.",
        discussion: "Until you decide, each machine keeps its own value; everything else stays in step."
    )

    @Argument(help: "The save's name or id; else all of them.")
    var profile: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let reply = try await shared.ask(.conflicts(profile: profile))
        guard case .conflicts(let conflicts) = reply else { throw CommandFailure.unexpected(reply) }
        try shared.print(reply, Self.text(conflicts))
    }

    private static func text(_ conflicts: [ConflictReport]) -> String {
        guard !conflicts.isEmpty else { return "Nothing waits for a decision.\n" }
        let now = Int64(time(nil)) * 1_000
        var text = ""
        for conflict in conflicts {
            text += "\(PlainText.line(conflict.profile)) \(PlainText.line(conflict.place))\n"
            for (index, candidate) in conflict.candidates.enumerated() {
                text += "  \(index + 1)  \(PlainText.line(candidate.value))  "
                text += "(\(PlainText.line(candidate.device)), \(PastTime.words(candidate.time, now: now)))\n"
            }
            text += "  decide with: hearth resolve \(PlainText.line(conflict.profile)) \(PlainText.line(conflict.place)) NUMBER\n"
        }
        return text
    }
}
