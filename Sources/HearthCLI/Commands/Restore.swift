import ArgumentParser
import HouseholdAgent
import LocalFiles

/// `hearth restore NAME --to FILE`: starts playing a save of the household on this machine. `--to FOLDER/` takes several,
/// and `--all` all of them. `--backup` restores a backup.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a save of the household on this machine, or all of them.",
        discussion: """
            Writes the save to FILE and keeps it in step from then on; a folder that is missing is made. Where FILE \
            holds progress already, the two are merged and the file as it was is kept among the backups. What would \
            be replaced on either side is shown first, and of coins and other sums both: one save may be a copy of the \
            other, so of what each held when it was added the larger total counts, with what was played since. If neither is a \
            copy, because they were played apart from the start, add --apart, and the sums add up.

            With several names, or --all, each save gets a file of its own in FOLDER, called as on the machine that \
            added it. Saves whose files have one name get a folder each, called like the save. Nothing that is there \
            is written over or merged: a save whose file would lie where another file is stays out, and the table says \
            so. What stopped in the middle goes on where the same command is run again.

            With --backup instead, puts a backup back on every machine of the household; 'hearth backups NAME' lists \
            them, and 'newest' is the newest that can be used. What was there is kept as a backup before, so this \
            can be taken back as well.

            Examples:
              hearth restore "My game" --to ~/.game/save.json
              hearth restore --all --to ~/.game/saves/
              hearth restore "Slot 1" "Slot 2" --to ~/.game/saves/
              hearth restore "My game" --backup newest
            """
    )

    @Argument(
        help: ArgumentHelp("The save's name (or id), as 'hearth status' lists it; also several.", valueName: "name"),
        completion: .save)
    var names: [String] = []

    @Flag(help: "Every save of the household that has no file here yet.")
    var all = false

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Where the game looks for it; for several, the folder.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    @Option(help: ArgumentHelp("Put this backup back.", valueName: "backup"))
    var backup: String?

    @Flag(help: "FILE was played apart and is no copy: add its sums to the household's.")
    var apart = false

    @Flag(help: "Put it there even where another tool syncs that folder.")
    var anyway = false

    @OptionGroup var shared: SharedOptions

    /// Whether the path of `--to` is that of a folder.
    private var isFolder: Bool { all || names.count > 1 || file?.hasSuffix("/") == true }

    func validate() throws {
        if file?.isEmpty == true { throw ValidationError("--to is empty; name the file.") }
        guard all != !names.isEmpty else {
            throw ValidationError(
                all ? "--all goes without names." : "name a save, or say --all; 'hearth status' lists them.")
        }
        guard (file == nil) != (backup == nil) else {
            throw ValidationError("give --to FILE to play a save here, or --backup BACKUP to put one back.")
        }
        if backup != nil, all || names.count > 1 { throw ValidationError("--backup goes with one save.") }
        if apart, backup != nil { throw ValidationError("--apart goes with --to FILE only.") }
        if apart, isFolder { throw ValidationError("--apart goes with one save and its file.") }
    }

    func run() async throws {
        if isFolder, let file { return try await RestoreMany(names: all ? nil : names, options: self).run(to: file) }
        let name = names[0]
        if let backup { return try await putBack(backup, of: name) }
        let path = FilePath.absolute(file ?? "")
        if FilePath.exists(path) {
            try await confirmJoin(name, path)
        } else if apart {
            throw CommandFailure(
                "nothing is at \(path), so nothing was played apart", "leave --apart out", code: .usage)
        }
        let answer = try await Waiting.show("waiting for \(name)", shared) {
            try await shared.ask(request(name, path))
        }
        var text = "\(PlainText.line(answer.profile.name)) is here now, and kept in step: \(PlainText.line(path))\n"
        if !shared.json {
            let summary = try await shared.ask(SummaryRequest(profile: answer.profile.id))
            text += SummaryText.text(summary, now: LocalTime.now)
        }
        try shared.print(answer, text)
    }

    private func request(_ name: String, _ path: String) -> RestoreRequest {
        RestoreRequest(profile: name, path: path, apart: apart, anyway: anyway)
    }

    /// Shows what becomes of two saves that become one, and asks the player.
    private func confirmJoin(_ name: String, _ path: String) async throws {
        let preview = try await Waiting.show("waiting for \(name)", shared) {
            try await shared.ask(PreviewRequest(request(name, path)))
        }
        let status = try await shared.ask(StatusRequest())
        if let other = JoinText.otherSave(at: path, than: preview.id, preview.profile, in: status) {
            Console.note(other)
        }
        for line in JoinText.lines(preview, file: path) { Console.note(line) }
        for line in SumText.lines(preview.sums ?? [], isApart: apart) { Console.note(line) }
        if preview.wasReset == true {
            let name = PlainText.line(preview.profile)
            Console.note(
                "\(name) was started over in the household. Where this file is from before that, what it holds comes back, on "
                    + "every machine; to begin without it, move the file away first.")
        }
        try shared.confirm(
            "\(path) exists: merge the save of the household into it (a backup is kept)?",
            refusal: "nothing was changed; \(path) is as it was")
    }

    private func putBack(_ backup: String, of name: String) async throws {
        let wanted = RestoreBackupRequest(profile: name, backup: backup)
        let preview = try await shared.confirm(wanted, refusal: "nothing was changed") { preview in
            BackupText.question(preview.backup ?? backup, preview)
        }
        // Use the backup that was shown, also where a newer one came in since.
        let backup = preview.backup ?? backup
        let answer = try await shared.ask(RestoreBackupRequest(profile: name, backup: backup))
        try shared.print(answer, "\(PlainText.line(answer.profile.name)) is what it was in \(backup).\n")
    }
}
