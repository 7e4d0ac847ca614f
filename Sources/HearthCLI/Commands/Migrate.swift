import ArgumentParser
import HouseholdAgent
import LocalFiles
import LosslessJSON
import MergeCore

/// `hearth migrate NAME`: takes a kept save to another version of its game. `hearth migrate FILE --rules F` does the
/// same with a plain file.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Migrate a save to another version of its game, by the steps in its rule file.",
        discussion: """
            NAME is a save that is kept here: its file on this machine follows once the game here was updated, with a \
            backup from before and one of the result. With --to an earlier version it goes back, on this machine only; \
            what is played then still counts for the household.

            With --rules it is a plain file, and no agent is needed. Where FILE itself is written, what it was before \
            stays beside it as FILE.before-VERSION.

            Nothing is written unless every step went well and the result passes the rules; what no step touches keeps \
            its bytes. A save of a newer version is refused: update the game first.

            Examples:
              hearth migrate "My game" --dry-run
              hearth migrate "My game" --to 1.0
              hearth migrate save.json --rules rules.yaml
            """
    )

    @Argument(help: ArgumentHelp("The save's name or id; with --rules a file.", valueName: "save"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The rule file that lists the steps (YAML), for a plain file.", valueName: "file"),
        completion: .file()
    )
    var rules: String?

    @Option(
        help: ArgumentHelp(
            "The version wanted; else that of the rules. An older one takes steps back.",
            valueName: "version"
        )
    )
    var to: String?

    @Option(
        help: ArgumentHelp("Write here instead of over the save; with --rules.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Go back to this backup, where the steps have no way back; 'newest' for the newest of that version.",
            valueName: "backup"
        )
    )
    var backup: String?

    @Flag(help: "Only say what would be done.")
    var dryRun = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if rules == nil, output != nil { throw ValidationError("--output goes with --rules and a plain file.") }
        if rules != nil, backup != nil {
            throw ValidationError("--backup goes with a save that is kept here; leave --rules out.")
        }
        if backup != nil, to == nil { throw ValidationError("--backup needs --to with the version the backup is of.") }
    }

    func run() async throws {
        if let rules { return try migrateFile(rules) }
        let summary = try await shared.ask(MigrateRequest(profile: file, to: to, backup: backup, dryRun: dryRun))
        if !shared.json { MigrationText.notes(summary).forEach { Console.note($0) } }
        try shared.print(summary, MigrationText.line(summary))
    }

    private func migrateFile(_ path: String) throws {
        let rules = try RuleInput.read(path)
        guard let newest = rules.version, rules.versionAt != nil else {
            throw CommandFailure("\(path) names no version", "it needs 'version', 'versionAt' and 'migrations'")
        }
        let document = try JSONInput.read(file).document
        let start = ContinuousClock.now
        var result = migrated(document, rules, newest)
        result.report.duration = start.duration(to: .now)
        let summary = MigrationSummary(result.report, profile: file, file: file, isDryRun: dryRun, backup: nil)
        if !shared.json { MigrationText.notes(summary).forEach { Console.note($0) } }
        if let error = result.report.errors.first {
            let isNewer = if case .newer = SaveVersion.detect(document, rules, target: to) { true } else { false }
            throw CommandFailure(
                "\(file): \(error)", "the save is as it was", code: isNewer && to == nil ? .tooOld : .failed)
        }
        if let text = result.text, !dryRun, text != document.bytes || output != nil {
            try write(text, document.bytes, result.report.from)
        }
        try shared.print(summary, MigrationText.line(summary))
    }

    private func migrated(_ document: JSONDocument, _ rules: RuleSet, _ newest: String) -> MigrationResult {
        if let to, case .newer = SaveVersion.detect(document, rules, target: to),
            VersionOrder(rules).index(of: to) != nil
        {
            return Migration.rollBack(document, rules: rules, to: to, dryRun: dryRun)
        }
        return Migration.run(document, rules: rules, to: to, dryRun: dryRun)
    }

    private func write(_ text: [UInt8], _ former: [UInt8], _ version: String?) throws {
        do {
            if output == nil {
                let name = (version ?? "unversioned").map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" }
                try AtomicFile.write(former, to: "\(file).before-\(String(name.prefix(64)))")
            }
            try AtomicFile.write(text, to: output ?? file)
        } catch {
            throw CommandFailure("\(output ?? file) \(error.sentence)")
        }
    }
}
