import ArgumentParser
import HouseholdAgent

/// `hearth rename NAME NEW`: gives a save, or this machine, another name.
struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give a save, or this machine, another name.",
        discussion: """
            A save is called so on every machine from then on; its file stays where it is. A machine says itself what \
            it is called, so run this on the machine that is to be renamed; the others show the new name as soon as they \
            are connected. A name that 'hearth agent --name' gives counts again from its next start.

            Examples:
              hearth rename save "Universe RPG"
              hearth rename steamdeck "Living room"
            """
    )

    @Argument(
        help: ArgumentHelp("The save's name or id, or this machine's.", valueName: "name"), completion: .saveOrOwn)
    var name: String

    @Argument(help: ArgumentHelp("What to call it.", valueName: "new name"))
    var new: String

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if new.isEmpty { throw ValidationError("the new name is empty; give one.") }
    }

    func run() async throws {
        let answer = try await shared.ask(RenameRequest(subject: name, to: new))
        let named = PlainText.line(answer.profile?.name ?? answer.device?.name ?? new)
        try shared.print(answer, "\(PlainText.line(answer.former)) is called \(named) from now on.\n")
        if let note = answer.note { Console.note("note: \(PlainText.line(note))") }
    }
}
