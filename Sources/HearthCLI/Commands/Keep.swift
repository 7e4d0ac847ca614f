import ArgumentParser
import HouseholdAgent

/// `hearth keep PROFILE`: keeps the save as it is, and settles the questions about the last saves.
struct Keep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep what you have, and settle what status asks or says about the last saves.",
        discussion: """
            The other answer to a question of 'hearth status' beside 'hearth accept': the save that was set aside does \
            not count, and stays among the backups; the answer names what stays as it is. It also settles what status says of saves, such as a guess or a \
            place that the game lowered, once you have read it. Where another machine says that this save and another \
            one are the same, it stays a save of its own.
            """
    )

    @Argument(help: "The save's name or id.")
    var profile: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(KeepRequest(profile: profile))
        try shared.print(answer, "\(PlainText.line(answer.profile.name)) stays as it is.\n")
    }
}
