import AgentRuntime
import ArgumentParser
import HouseholdAgent
import LocalFiles
import SyncProtocol

/// `hearth import FILE`: merges an exported file into a save.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Merge a save that another machine exported.",
        discussion: """
            A file from a machine of this household is merged as if the two were connected: nothing is lost, nothing \
            counts twice, an older file changes nothing. A file from anybody else comes as a plain copy, after a \
            question: what it holds is where counting starts. If that machine is yours, pair the two first.

            A plain JSON save can be merged into a save that is kept here, with --profile: what is more or new is \
            taken, nothing goes down or away.

            Examples:
              hearth import /media/stick/game.hearth --dry-run
              hearth import /media/stick/game.hearth --to ~/.game/save.json
              hearth import old-save.json --profile "My game"
            """
    )

    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Play it on this machine: where the game looks for it.", valueName: "file"),
        completion: .file())
    var target: String?

    @Option(help: ArgumentHelp("Which save a plain JSON file belongs to.", valueName: "name"), completion: .save)
    var profile: String?

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the passphrase from this descriptor.", valueName: "n"))
    var descriptor: Int32?

    @Flag(help: "Put it there even where another tool syncs that folder.")
    var anyway = false

    @Flag(help: "Only say what would change.")
    var dryRun = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("FILE is empty; name the file.") }
        if target?.isEmpty == true { throw ValidationError("--to is empty; name the file.") }
    }

    func run() async throws {
        let bytes: [UInt8]
        do {
            bytes = try BoundedFile.read(file, limit: TransferFormat.fileLimit).bytes
        } catch {
            throw CommandFailure("\(file) \(error.sentence)")
        }
        guard TransferFormat.begins(bytes) else { return try await importDocument(bytes) }
        guard profile == nil else {
            throw CommandFailure("\(file) says itself which save it is", "leave --profile out", code: .usage)
        }
        try await importTransfer(try opened(bytes))
    }

    // MARK: Transfers

    /// The signed file; an encrypted one is decrypted first.
    private func opened(_ bytes: [UInt8]) throws -> [UInt8] {
        do {
            guard try TransferFormat.form(of: bytes) == .sealed else { return bytes }
            let passphrase = try descriptor.map(Passphrase.read(from:)) ?? Passphrase.ask(isNew: false)
            return try SealedTransfer.open(bytes, passphrase: passphrase)
        } catch let fault as TransferFault {
            throw CommandFailure(
                "\(file): \(fault)", "nothing was changed", code: fault.reason == .newer ? .tooOld : .failed)
        }
    }

    private func importTransfer(_ bytes: [UInt8]) async throws {
        let staged = try StagedImport(bytes, home: try shared.hearthHome().path)
        defer { staged.remove() }
        let path = target.map { FilePath.absolute($0) }
        func report(trusting: Bool, dryRun: Bool) async throws -> ImportReport {
            try await shared.ask(
                ImportTransferRequest(
                    path: staged.path, to: path, anyway: anyway, trusting: trusting, dryRun: dryRun))
        }
        let preview = try await report(trusting: false, dryRun: true)
        let joined = path.flatMap { FilePath.exists($0) && preview.file != $0 ? PlainText.line($0) : nil }
        let other =
            if let path, joined != nil {
                JoinText.otherSave(
                    at: path, than: preview.id, preview.profile, in: try await shared.ask(StatusRequest()))
            } else { String?.none }
        if dryRun {
            try show(preview)
            if let other { Console.note("note: \(other)") }
            if let joined { Console.note("note: \(joined) exists: what it holds would become part of the save") }
            return
        }
        let question = ImportText.question(preview)
        if let question {
            // Whoever is not asked reads it when it is done.
            if !shared.json, !shared.yes { Console.note(ImportText.changes(preview)) }
            try shared.confirm(question, refusal: "nothing was changed")
        }
        if let other { Console.note(other) }
        if let joined {
            try shared.confirm(
                "\(joined) exists: merge the save into it (a backup is kept)?",
                refusal: "nothing was changed; \(joined) is as it was")
        }
        try show(try await report(trusting: question != nil, dryRun: false))
        if let joined {
            Console.note("note: what \(joined) held is part of the save now, and among the backups as it was")
        }
    }

    // MARK: Documents

    private func importDocument(_ bytes: [UInt8]) async throws {
        guard bytes.first(where: { !" \n\r\t".utf8.contains($0) }).map({ "{[\u{FEFF}".utf8.contains($0) }) == true
        else {
            throw CommandFailure(
                "\(file) is neither a file that 'hearth export' wrote nor a JSON save",
                "nothing was changed; name another file"
            )
        }
        guard let profile else {
            throw CommandFailure(
                "\(file) is a plain save",
                "say which save here it belongs to, with --profile NAME",
                code: .usage
            )
        }
        guard target == nil else {
            throw CommandFailure(
                "--to does not go with a plain save",
                "use: hearth restore \(CommandWord.of(profile)) --to FILE",
                code: .usage
            )
        }
        _ = try JSONInput.read(file)
        let staged = try StagedImport(bytes, home: try shared.hearthHome().path)
        defer { staged.remove() }
        try show(try await shared.ask(ImportDocumentRequest(path: staged.path, profile: profile, dryRun: dryRun)))
    }

    // MARK: Parts

    private func show(_ report: ImportReport) throws {
        try shared.print(report, ImportText.summary(report))
        if let note = report.note { Console.note("note: \(PlainText.line(note))") }
    }
}
