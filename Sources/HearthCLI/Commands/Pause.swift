import ArgumentParser
import HouseholdAgent

/// `hearth pause [PROFILE]`: stops reading and writing a save's file for a while.
struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Leave a save, or all, to its game for a while.",
        discussion: """
            The file is neither read nor written until 'hearth resume', also over restarts of the agent. Nothing is \
            lost: what you play meanwhile, and what others do, comes together then.

            Examples:
              hearth pause "My game"
              hearth resume "My game"
            """
    )

    @Argument(help: "The save's name or id; all of them where nothing is given.", completion: .save)
    var profile: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(PauseRequest(profile: profile))
        try shared.print(
            answer, answer.profiles.map { "\(PlainText.line($0.name)) is paused on this machine.\n" }.joined())
    }
}

/// `hearth resume [PROFILE]`: ends a pause.
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep a paused save, or all, in step again.",
        discussion: """
            Examples:
              hearth resume "My game"
              hearth resume
            """
    )

    @Argument(help: "The save's name or id; all of them where nothing is given.", completion: .save)
    var profile: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(ResumeRequest(profile: profile))
        try shared.print(answer, answer.profiles.map { "\(PlainText.line($0.name)) is kept in step again.\n" }.joined())
    }
}
