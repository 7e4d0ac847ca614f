import ArgumentParser
import HouseholdAgent

/// `hearth keep PROFILE`: keeps the save as it is, and settles the questions about the last saves.
struct Keep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep what you have, and settle what status asks or says about the last saves.",
        discussion: """
            The other answer to a question of 'hearth status' beside 'hearth accept': the save that was set aside does \
            not count, and stays among the backups. Only what it adds to the save counts all the same; 'hearth undo' \
            takes that back. What is dropped is shown first, and asked about. It also \
            settles what status says of saves, such as a guess or a place that the game lowered, once you have read \
            it; this is not asked about. Where another machine says that this save and another one are the same, it \
            stays a save of its own. A save that waits for other machines, of which there are none any more, counts \
            as it is from then on.

            Examples:
              hearth keep "My game"
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let preview = try await shared.confirm(KeepRequest(profile: profile), refusal: "nothing was settled") {
            $0.keeps?.isQuestion == true ? "Keep \($0.profile) as it is?" : nil
        }
        let answer = try await shared.ask(KeepRequest(profile: preview.id, question: preview.question))
        try shared.print(answer, "\(PlainText.line(answer.profile.name)) stays as it is.\n")
    }
}
