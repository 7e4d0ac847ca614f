import ArgumentParser
import HouseholdAgent
import LocalFiles
import SyncProtocol

/// `hearth export PROFILE`: writes a save into one file, to carry it to another machine.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a save into one file, to carry it to another machine.",
        discussion: """
            The file holds all that is known of the save, signed by this machine. 'hearth import' merges it, so a \
            memory stick does what a network would: nothing is lost and nothing counts twice, in whatever order files \
            come.

            With --passphrase it is encrypted. With --json it is the bare save and nothing else, and goes to standard \
            output where no --output is given.

            Examples:
              hearth export "My game"
              hearth export "My game" --passphrase --output /media/stick/game.hearth
              hearth export "My game" --json --output save.json
            """
    )

    @Argument(help: "The save's name or id.", completion: .save)
    var profile: String

    @Option(
        help: ArgumentHelp("Where to write it; else NAME.hearth here.", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Encrypt it with a passphrase, which is asked for.")
    var passphrase = false

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Encrypt it with the passphrase that can be read from this descriptor.", valueName: "n"))
    var descriptor: Int32?

    @Flag(help: "Write over a file that is there.")
    var force = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output is empty; name a file.") }
        if passphrase, descriptor != nil { throw ValidationError("give --passphrase or --passphrase-fd, not both.") }
        if shared.json, passphrase || descriptor != nil {
            throw ValidationError("--json writes the bare save, which cannot be encrypted.")
        }
    }

    func run() async throws {
        if let output { try refuseToReplace(output) }
        let secret = try descriptor.map(Passphrase.read(from:)) ?? (passphrase ? try Passphrase.ask(isNew: true) : nil)
        if shared.json { try await exportDocument() } else { try await exportTransfer(secret) }
    }

    private func exportDocument() async throws {
        let answer = try await shared.ask(ExportDocumentRequest(profile: profile))
        let document = Array(answer.document.utf8)
        if let note = answer.note { Console.note("note: \(PlainText.line(note))") }
        let end: [UInt8] = document.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
        guard let output else { return try Console.result(document + end) }
        try write(document, to: output)
        Console.note("written: \(PlainText.line(output))")
    }

    private func exportTransfer(_ passphrase: [UInt8]?) async throws {
        let answer = try await shared.ask(ExportRequest(profile: profile))
        let report = answer.export
        let path = output ?? FilePath.currentFolder + "/" + FilePath.safeName(report.profile) + ".hearth"
        try refuseToReplace(path)
        try write(try sealed(answer.data.bytes, passphrase), to: path)
        if let note = report.note { Console.note("note: \(PlainText.line(note))") }
        let form = passphrase == nil ? "" : ", encrypted"
        try Console.result("\(PlainText.line(report.profile)) is in \(PlainText.line(path))\(form)\n")
    }

    private func sealed(_ file: [UInt8], _ passphrase: [UInt8]?) throws -> [UInt8] {
        guard let passphrase else { return file }
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<SealedTransfer.saltSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
        do {
            return try SealedTransfer.seal(file, passphrase: passphrase, salt: salt)
        } catch {
            throw CommandFailure(error.description)
        }
    }

    private func refuseToReplace(_ path: String) throws {
        if FilePath.isFolder(path) {
            throw CommandFailure("\(path) is a folder", "name a file in it with --output", code: .usage)
        }
        guard !force, FilePath.isFile(path) else { return }
        throw CommandFailure("\(path) exists", "it stays as it is; give another name, or --force to write over it")
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try AtomicFile.write(bytes, to: path, isPrivate: true)
        } catch {
            throw CommandFailure("\(path) \(error.sentence)")
        }
    }
}
