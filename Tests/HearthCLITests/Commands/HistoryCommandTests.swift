import Libc
import LosslessJSON
import TestSupport
import Testing

/// `hearth history`, `undo`, `accept`, `keep`, `reset` and `restore --backup`, run as processes without an agent. Each
/// command reads the record that the one before has written.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct HistoryCommandTests {
    private let folder = Folder()

    private func run(_ arguments: String...) throws -> Command.Outcome { try Command.run(arguments, in: folder) }

    private func json(_ outcome: Command.Outcome) throws -> JSONValue {
        try JSONValue(parsing: Array(outcome.output.utf8))
    }

    private func coins(_ save: String) throws -> JSONValue? {
        try JSONValue(parsing: Disk.read(save) ?? [])["coins"]
    }

    /// Adds a save, and returns its path.
    private func added() throws -> String {
        let save = folder.write(#"{"coins": 100, "level": 3, "themes": ["day"]}"#, "save.json")
        let rules = folder.write("profile: RPG\nrules: {/coins: counter, /level: max, /themes: union}\n", "rules.yaml")
        let added = try run("add", save, "--rules", rules)
        try #require(added.code == 0, "\(added.errors)")
        return save
    }

    @Test(.timeLimit(.minutes(20))) func aResetIsShownAskedForListedAndTakenBack() throws {
        let save = try added()
        // No terminal: the command says what would change, and changes nothing.
        let asked = try run("reset", "RPG")
        #expect(asked.code == 3 && asked.output == "")
        for part in ["/coins 100 → 0", "/level 3 → nothing", "/themes loses \"day\"", "on every machine?", "--yes"] {
            #expect(asked.errors.contains(part), "\(part) is missing in \(asked.errors)")
        }
        #expect(try coins(save) == 100)
        let reset = try run("reset", "RPG", "--yes")
        #expect(reset.code == 0 && reset.output == "RPG starts over.\n", "\(reset.errors)")
        #expect(try coins(save) == 0)
        let history = try run("history", "RPG")
        #expect(history.code == 0)
        let lines = history.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.first?.hasPrefix("2  20") == true && lines.first?.contains("  started over  /coins 100 → 0") == true,
            "\(history.output)"
        )
        #expect(lines.last?.contains("  taken up  ") == true)
        let listed = try json(run("history", "RPG", "/level", "--json"))
        #expect(listed["event"] == "history")
        guard case .array(let steps)? = listed["history"] else { throw Missing() }
        #expect(steps.count == 2 && steps[0]["changes"] == [["place": "/level", "old": "3"]])
        #expect(try run("history", "RPG", "--limit", "1").output.split(separator: "\n").count == 1)
        // An undo asks first, too.
        let unsure = try run("undo", "RPG")
        #expect(unsure.code == 3 && unsure.errors.contains("/coins 0 → 100") && unsure.errors.contains("Take step 2"))
        #expect(try coins(save) == 0)
        let undone = try run("undo", "RPG", "--yes")
        #expect(undone.code == 0 && undone.output == "Step 2 of RPG was undone.\n", "\(undone.errors)")
        #expect(try coins(save) == 100)
        #expect(try json(run("undo", "RPG", "3", "--yes", "--json"))["event"] == "profile")
        #expect(try coins(save) == 0)
        let origin = try run("undo", "RPG", "1", "--yes")
        #expect(origin.code == 1 && origin.errors.contains("step 1 of RPG"), "\(origin.errors)")
        #expect(try run("undo", "RPG", "77", "--yes").errors.contains("hearth history"))
    }

    @Test(.timeLimit(.minutes(20))) func aBackupIsShownBeforeItIsPutBack() throws {
        let save = try added()
        #expect(try run("reset", "RPG", "--yes").code == 0)
        let name = String(try run("backups", "RPG").output.prefix { $0 != " " })
        let asked = try run("restore", "RPG", "--backup", name)
        #expect(asked.code == 3 && asked.errors.contains("/coins 0 → 100"), "\(asked.errors)")
        #expect(try run("restore", "RPG", "--backup", name, "--yes").code == 0)
        #expect(try coins(save) == 100)
        let nothing = try run("restore", "RPG", "--backup", name)
        #expect(nothing.code == 3 && nothing.errors.contains("nothing would change"))
    }

    @Test(.timeLimit(.minutes(20))) func aSaveThatHeldLessIsAccepted() throws {
        let save = try added()
        folder.write(Array(#"{"coins": 4, "level": 1, "themes": []}"#.utf8), save)
        let asked = try run("accept", "RPG")
        #expect(asked.code == 3)
        for part in ["/coins 100 → 4", "/level 3 → 1", "/themes loses \"day\""] {
            #expect(asked.errors.contains(part), "\(asked.errors)")
        }
        let accepted = try run("accept", "RPG", "--yes")
        #expect(
            accepted.code == 0 && accepted.output == "RPG goes on from its last save on every machine.\n",
            "\(accepted.errors)")
        #expect(try coins(save) == 4)
        #expect(try run("show", "RPG", "/level").output == "1\n")
        #expect(try run("undo", "RPG", "--yes").code == 0)
        #expect(try coins(save) == 100)
    }

    /// The other answer is shown and asked about as well, and the save that does not count is found in its backup.
    @Test(.timeLimit(.minutes(20))) func aSaveThatHeldLessIsNotKeptWithoutAQuestion() throws {
        let save = try added()
        folder.write(Array(#"{"coins": 4, "level": 1, "themes": []}"#.utf8), save)
        let asked = try run("keep", "RPG")
        #expect(asked.code == 3 && asked.output == "", "\(asked.errors)")
        let parts = ["none of this would count", "/coins 100 → 4", "/level 3 → 1", "Keep RPG as it is?", "--yes"]
        for part in parts { #expect(asked.errors.contains(part), "\(part) is missing in \(asked.errors)") }
        #expect(try run("status").code == 3, "it is asked as before")
        let kept = try run("keep", "RPG", "--yes")
        #expect(kept.code == 0 && kept.output == "RPG stays as it is.\n", "\(kept.errors)")
        #expect(try coins(save) == 100)
        let line = try #require(kept.errors.split(separator: "\n").first { $0.contains("is among the backups: ") })
        let backup = String(try #require(line.split(separator: " ").last))
        #expect(try run("restore", "RPG", "--backup", backup, "--yes").code == 0)
        #expect(try coins(save) == 4)
    }

    /// What is only said needs no answer, so `keep` asks nothing.
    @Test(.timeLimit(.minutes(20))) func aRemarkIsAcknowledgedAtOnce() throws {
        let save = try added()
        folder.write(Array(#"{"coins": 120, "level": 2, "themes": ["day", "dusk"], "name": "Bo"}"#.utf8), save)
        let kept = try run("keep", "RPG")
        #expect(kept.code == 0 && kept.output == "RPG stays as it is.\n" && kept.errors == "", "\(kept.errors)")
        let again = try run("keep", "RPG")
        #expect(again.code == 1 && again.errors.contains("nothing is asked or said"), "\(again.errors)")
    }

    /// Both sums are shown before the question. The player may say that neither save is a copy.
    @Test(.timeLimit(.minutes(20))) func savesThatWerePlayedApartAddUp() throws {
        _ = try added()
        #expect(try run("remove", "RPG").code == 0)
        let other = folder.path("other.json")
        folder.write(Array(#"{"coins": 70, "level": 2, "themes": []}"#.utf8), other)
        let asked = try run("restore", "RPG", "--to", other)
        #expect(asked.code == 3)
        for part in ["add --apart", "/coins: 100 in the household, 70 in the file; kept: 100; played apart: 170"] {
            #expect(asked.errors.contains(part), "\(asked.errors)")
        }
        #expect(try coins(other) == 70)
        let apart = try run("restore", "RPG", "--to", other, "--apart", "--yes")
        #expect(apart.code == 0 && apart.errors.contains("70 in the file; played apart: 170"), "\(apart.errors)")
        #expect(try coins(other) == 170)
        // A save that is a copy counts as one, even with --apart.
        let copy = folder.path("copy.json")
        folder.write(Array(#"{"coins": 170, "level": 3, "themes": ["day"]}"#.utf8), copy)
        #expect(try run("remove", "RPG").code == 0)
        let refused = try run("restore", "RPG", "--to", copy, "--apart", "--yes")
        #expect(refused.code == 1 && refused.errors.contains("is a copy"), "\(refused.errors)")
        #expect(try run("restore", "RPG", "--to", copy, "--yes").code == 0)
        #expect(try coins(copy) == 170)
        let nothing = try run("restore", "RPG", "--to", folder.path("none.json"), "--apart")
        #expect(nothing.code == 2 && nothing.errors.contains("leave --apart out"), "\(nothing.errors)")
    }

    @Test(.timeLimit(.minutes(20))) func aRestoredSaveIsSummedUp() throws {
        let save = try added()
        #expect(try run("remove", "RPG").code == 0)
        let restored = try run("restore", "RPG", "--to", folder.path("other.json"))
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(
            restored.output.contains("RPG is here now")
                && restored.output.contains("/coins 100, /level 3, /themes 1 entry"),
            "\(restored.output)"
        )
        #expect(!restored.errors.contains("waiting"), "nobody looks")
        #expect(try coins(save) == 100)
    }

    @Test(arguments: [
        ["history"], ["history", "RPG", "--limit", "0"], ["history", "RPG", "--limit", "1001"], ["undo"],
        ["undo", "RPG", "x"], ["accept"], ["keep"],
    ]) func wrongUsage(_ arguments: [String]) throws {
        #expect(try Command.run(arguments, in: folder).code == 2)
    }

    private struct Missing: Error {}
}
