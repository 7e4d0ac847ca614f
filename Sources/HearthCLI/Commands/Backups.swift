import ArgumentParser
import HouseholdAgent

/// `hearth backups PROFILE`: lists the backups of a save on this machine, and pins them.
struct Backups: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the backups of a save on this machine.",
        discussion: """
            Kept are what the save was before its five newest changes, before the five newest sessions, and on the \
            seven last days that it was looked at. 'hearth restore NAME --backup BACKUP' puts one back.

            Where config.yaml says "keepsBackupsOfOthers: true", this machine also keeps copies of the seven last \
            daily backups of each other machine of the household that shares its own with it (sharesBackups there). \
            They are listed behind, with the machine they come from, and can be put back like any other.

            One that is pinned stays until it is let go with --unpin; it counts as none of these.

            Examples:
              hearth backups "My game"
              hearth backups "My game" --pin 0000000012.backup
              hearth restore "My game" --backup newest
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Option(help: ArgumentHelp("Keep this backup until it is let go.", valueName: "backup"))
    var pin: String?

    @Option(help: ArgumentHelp("Let this backup go.", valueName: "backup"))
    var unpin: String?

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if pin != nil, unpin != nil { throw ValidationError("give --pin or --unpin, one at a time.") }
    }

    func run() async throws {
        let answer: BackupList
        if let backup = pin ?? unpin {
            answer = try await shared.ask(PinBackupRequest(profile: profile, backup: backup, isPinned: pin != nil))
        } else {
            answer = try await shared.ask(BackupsRequest(profile: profile))
        }
        try shared.print(answer, BackupText.text(answer.backups, now: LocalTime.now))
    }
}
