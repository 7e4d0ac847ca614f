import Libc
import LosslessJSON
import TestSupport
import Testing

/// `hearth forget` and `hearth move`, and what `hearth add` says of rules that match nothing: as processes without an
/// agent.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct ForgetCommandTests {
    private let folder = Folder()

    private func run(_ arguments: String...) throws -> Command.Outcome { try Command.run(arguments, in: folder) }

    private func add(_ rules: String = "{/coins: counter}") throws -> (save: String, outcome: Command.Outcome) {
        let save = folder.write(#"{"coins": 100}"#, "save.json")
        let file = folder.write("profile: RPG\nrules: \(rules)\n", "rules.yaml")
        let added = try run("add", save, "--rules", file)
        try #require(added.code == 0, "\(added.errors)")
        return (save, added)
    }

    /// The profiles that `status` lists: their ids and files.
    private func listed() throws -> [(id: String, file: String)] {
        let status = try JSONValue(parsing: Array(run("status", "--json").output.utf8))
        guard case .array(let profiles)? = status["profiles"] else { return [] }
        return profiles.map { profile in
            func text(_ name: String) -> String {
                if case .string(let text)? = profile[JSONString(name)] { text.string } else { "" }
            }
            return (text("id"), text("file"))
        }
    }

    @Test(.timeLimit(.minutes(20))) func forgettingAsksAndKeepsTheBackups() throws {
        let (save, _) = try add()
        // A backup is made of what the reset takes away.
        #expect(try run("reset", "RPG", "--yes").code == 0)
        let id = try #require(try listed().first?.id)
        // No terminal: the command says what it would do, and does nothing.
        let asked = try run("forget", "RPG")
        #expect(asked.code == 3 && asked.output == "", "\(asked.errors)")
        for part in ["Forget RPG on every machine, for good?", "--yes"] {
            #expect(asked.errors.contains(part), "\(part) is missing in \(asked.errors)")
        }
        #expect(try listed().map(\.id) == [id])
        let forgotten = try run("forget", "RPG", "--yes")
        #expect(forgotten.code == 0 && forgotten.output.hasPrefix("RPG is forgotten"), "\(forgotten.errors)")
        #expect(forgotten.errors.contains("hearth backups \(id)"))
        #expect(try listed().isEmpty)
        #expect(Disk.read(save) != nil, "its file stays")
        let backups = try run("backups", id)
        #expect(backups.code == 0 && !backups.output.isEmpty, "\(backups.errors)")
        #expect(try run("forget", "RPG", "--yes").code == 1)
    }

    @Test(.timeLimit(.minutes(20))) func aMovedFileIsTheSameSave() throws {
        let (save, _) = try add()
        let id = try #require(try listed().first?.id)
        let moved = folder.write(#"{"coins": 130}"#, "moved.json")
        unlink(save)
        let outcome = try run("move", "RPG", moved)
        #expect(outcome.code == 0 && outcome.output == "RPG is kept in step here: \(moved)\n", "\(outcome.errors)")
        let profiles = try listed()
        #expect(profiles.map(\.id) == [id] && profiles.map(\.file) == [moved])
        #expect(try run("history", "RPG").output.contains("/coins 100 → 130"))
    }

    @Test func aRuleThatMatchesNothingIsNamedWithItsLine() throws {
        let (_, added) = try add("{/coinz: counter}")
        #expect(
            added.errors.contains("rules.yaml:2:") && added.errors.contains("did you mean /coins?"), "\(added.errors)")
    }
}
