import ArgumentParser
import HouseholdAgent

/// `hearth undo PROFILE [NUMBER]`: undoes a step of the history.
struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take a step of a save's history back, on every machine.",
        discussion: """
            What the step changed shows again what it showed before; everything else stays. What has moved on since \
            stays as well, unless you say --force. So does what another machine earned or changed meanwhile; but at a \
            place whose value only grows (max, union, flag), what it played without knowing of the undo is put aside, \
            and is in the backups. Machines that take the same step back before they hear of each other take it back once. \
            An undo is a step of its own: undo it, and things are as they were.

            Examples:
              hearth undo "My game"
              hearth undo "My game" 12
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Argument(
        help: ArgumentHelp(
            "The step's number in 'hearth history'; else the newest made on this machine.", valueName: "number"))
    var step: Int?

    @Flag(help: "Take back also what has moved on since.")
    var force = false

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let preview = try await shared.confirm(
            UndoRequest(profile: profile, step: step, force: force), refusal: "nothing was taken back"
        ) { preview in "Take step \(preview.step ?? 0) of \(preview.profile) back on every machine?" }
        // Undo the step that was shown, also where it is no longer the newest one.
        let answer = try await shared.ask(UndoRequest(profile: preview.id, step: preview.step, force: force))
        try shared.print(answer, "Step \(preview.step ?? 0) of \(PlainText.line(answer.profile.name)) was undone.\n")
    }
}
