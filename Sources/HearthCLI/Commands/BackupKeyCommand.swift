import AgentRuntime
import ArgumentParser
import DiskStore
import Libc
import LosslessJSON

/// `hearth backup-key create` and `recover`: the key that encrypts backups.
struct BackupKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup-key",
        abstract: "Encrypt the backups on this machine from now on.",
        discussion: """
            With a key in the installation's folder (backup.key), every new backup is encrypted; older ones stay as \
            they are and can still be read. Without it, encrypted backups are locked: listed, never removed, and \
            readable again once the key is back.

            Examples:
              hearth backup-key create
              hearth backup-key recover
            """,
        subcommands: [Create.self, Recover.self]
    )

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key, and show its recovery words once.",
            discussion: """
                Write the nine words down and keep them somewhere else: with them 'recover' makes the key again.

                Examples:
                  hearth backup-key create
                  hearth backup-key create --json | jq -r .words
                """
        )

        @OptionGroup var shared: SharedOptions

        func run() throws {
            let (file, home) = try BackupKeyCommand.file(shared)
            try HomeFolder.create(home)
            let key = BackupKey()
            try file.create(key)
            if shared.json {
                return try Console.result(ReplyJSON.line(event: "backupKey", ["words": .text(key.words)]))
            }
            Console.note("Backups are encrypted from now on. Write these words down; they are not shown again:")
            try Console.result(key.words + "\n")
        }
    }

    struct Recover: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the key again from its recovery words.",
            discussion: """
                Asks for the nine words, or reads them from standard input.

                Examples:
                  hearth backup-key recover
                  hearth backup-key recover --home /mnt/old/hearth
                """
        )

        @OptionGroup var shared: SharedOptions

        func run() throws {
            let (file, home) = try BackupKeyCommand.file(shared)
            if isatty(STDIN_FILENO) == 1 { Console.prompt("Recovery words: ") }
            let key: BackupKey
            do {
                key = try BackupKey(words: readLine() ?? "")
            } catch {
                throw CommandFailure(error.description, "nothing was changed")
            }
            try HomeFolder.create(home)
            if let known = try file.load() {
                guard known == key else {
                    throw CommandFailure(
                        "another backup key is at \(file.path)",
                        "it stays as it is; move it away to put this one in its place"
                    )
                }
            } else {
                try file.create(key)
            }
            let text = "The backup key is in its place: \(PlainText.line(file.path))\n"
            try Console.result(shared.json ? ReplyJSON.line(event: "backupKey") : Array(text.utf8))
        }
    }

    private static func file(_ shared: SharedOptions) throws -> (BackupKeyFile, home: String) {
        let home = try shared.hearthHome().path
        return (BackupKeyFile(home: home), home)
    }
}
