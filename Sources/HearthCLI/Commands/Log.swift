import ArgumentParser
import HouseholdAgent
import MergeCore

/// `hearth log [NAME]`: lists what happened lately, of all saves together.
struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what happened lately: what was played, what came in, what was decided.",
        discussion: """
            The newest stands last. Saves that one machine made in a row are one line, from the first to the last, with \
            what they changed together. 'hearth history NAME' lists each step of one save, with the number that 'hearth \
            undo' takes.

            Examples:
              hearth log
              hearth log "My game"
              hearth log laptop --days 7
              hearth log --json | jq -r '.entries[].profile'
            """
    )

    /// The most steps that are listed.
    private static let limit = 1_000

    @Argument(
        help: ArgumentHelp("A save or a machine, by name or id; else all of them.", valueName: "name"),
        completion: .saveOrMachine)
    var subject: String?

    /// Also a number below zero is taken as its value, so that the answer is about that number.
    @Option(
        parsing: .unconditional, help: ArgumentHelp("How far to look back, 1 to 3650.", valueName: "days"))
    var days = 1

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard 1...3_650 ~= days else { throw ValidationError("--days takes 1 to 3650.") }
    }

    func run() async throws {
        let since = WallTime(milliseconds: LocalTime.now.milliseconds - Int64(days) * 86_400_000)
        let report = try await shared.ask(LogRequest(subject: subject, since: since, limit: Self.limit))
        try shared.print(report, LogText.text(report, local: LocalTime.text))
    }
}
