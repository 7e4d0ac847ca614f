import ArgumentParser
import HouseholdAgent

/// `hearth forget PROFILE`: stops keeping a save on every machine.
struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop keeping a save, on every machine and for good.",
        discussion: """
            For a save that was added by mistake. It leaves every machine's list, also that of machines that are away \
            now; its files stay where they are with all that was played, and so do the backups. To stop keeping it on \
            this machine alone, use 'hearth remove'. A file that is added again later is a new save.

            Examples:
              hearth forget "My game"
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let summary = try await shared.ask(SummaryRequest(profile: profile))
        if !shared.json { Console.note(SummaryText.text(summary, now: LocalTime.now)) }
        try shared.confirm(
            "Forget \(summary.profile) on every machine, for good? Files and backups stay.",
            refusal: "nothing was forgotten"
        )
        // By its id: another save of the same name may have come in since the question.
        let answer = try await shared.ask(ForgetRequest(profile: summary.id))
        try shared.print(
            answer,
            "\(PlainText.line(answer.profile.name)) is forgotten, here now and on the other machines as they are reached; "
                + "files and backups stay.\n"
        )
        guard !shared.json else { return }
        let id = answer.profile.id
        Console.note("its backups, should you miss it: hearth backups \(id)")
        Console.note("one of them as a file again: hearth show \(id) --backup NAME > FILE")
    }
}
