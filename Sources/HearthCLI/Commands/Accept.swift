import ArgumentParser
import HouseholdAgent

/// `hearth accept PROFILE`: confirms a save that holds less than the one before.
struct Accept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say that the last save was meant, though it held less than before.",
        discussion: """
            A save that holds much less than the one before counts as no loss: it may be empty, old or broken, and \
            what you had stays. If you did mean it, because you began anew or went back to an old save on purpose, \
            accept it: what the game on this machine saved last is then where every machine goes on from. What was there \
            before is kept among the backups.

            A save after a reset, a restore or an undo may hold what that took back, or what was played since; accepted, it \
            counts as the game saved it, with what other machines have played meanwhile.

            Where 'hearth status' asks about amounts, since nobody can tell whether the game had read what other \
            machines earned, they count as if it had; with --apart as if it had not. Where it says that two machines have \
            each saved the same, what they saved then counts once. 'hearth keep' is the other answer.

            Examples:
              hearth accept "My game"
              hearth accept "My game" --apart
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Flag(help: "Count the amounts that are asked about as earned apart from the other machines.")
    var apart = false

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let preview = try await shared.confirm(
            AcceptRequest(profile: profile, apart: apart), refusal: "nothing was accepted"
        ) { preview in
            preview.asked != nil
                ? "Count it so on every machine?" : "Go on from the last save of \(preview.profile) on every machine?"
        }
        let answer = try await shared.ask(
            AcceptRequest(profile: preview.id, apart: apart, question: preview.question))
        let name = PlainText.line(answer.profile.name)
        let told = preview.asked == nil ? "goes on from its last save" : "counts it so"
        try shared.print(answer, "\(name) \(told) on every machine.\n")
    }
}
