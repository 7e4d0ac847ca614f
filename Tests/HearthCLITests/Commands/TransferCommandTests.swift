import HearthCLI
import Libc
import LocalFiles
import LosslessJSON
import TestSupport
import Testing

/// `export`, `import` and `backup-key`, run as processes without an agent: two homes, and the files between them.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct TransferCommandTests {
    private let folder = Folder()
    private let secret = Array("correct horse\n".utf8)

    private func run(_ arguments: [String], home: String = "home", input: [UInt8] = []) throws -> Command.Outcome {
        try Command.run(arguments + ["--home", folder.path(home)], input: input, in: folder)
    }

    private func addSave() throws {
        folder.write(#"{"coins": 300, "level": 4, "name": "Ada"}"#, "save.json")
        folder.write("profile: RPG\nrules:\n  /coins: counter\n  /level: max\n", "rules.yaml")
        let added = try run(["add", folder.path("save.json"), "--rules", folder.path("rules.yaml")])
        try #require(added.code == 0, "\(added.errors)")
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// What the game wrote while no agent ran is in the exported file.
    @Test func aSaveGoesByFileFromOneHomeToAnother() throws {
        try addSave()
        folder.write(#"{"coins": 480, "level": 6, "name": "Ada"}"#, "save.json")
        let stick = folder.path("stick.hearth")
        let exported = try run(["export", "RPG", "--output", stick])
        #expect(exported.code == 0 && exported.output.contains(stick), "\(exported.errors)")
        #expect(mode(stick) == 0o600)
        let bytes = try #require(Disk.read(stick))
        // The other home has another key, so it asks first.
        let asked = try run(["import", stick], home: "b")
        #expect(asked.code == 3 && asked.output == "" && asked.errors.contains("never in this household"))
        let preview = try run(["import", stick, "--dry-run", "--to", folder.path("b.json")], home: "b")
        #expect(preview.code == 0 && preview.output.contains("/coins: 480") && preview.output.contains("would come"))
        #expect(Disk.read(folder.path("b.json")) == nil)
        let imported = try run(["import", stick, "--yes", "--to", folder.path("b.json"), "--json"], home: "b")
        #expect(imported.code == 0, "\(imported.errors)")
        let report = try JSONValue(parsing: Array(imported.output.utf8))
        #expect(report["event"] == "imported" && report["isNew"] == .bool(true) && report["source"] == "unknownSigner")
        #expect(Disk.read(folder.path("b.json")) == Array(#"{"coins":480,"level":6,"name":"Ada"}"#.utf8) + [10])
        let again = try run(["import", stick, "--yes"], home: "b")
        #expect(again.code == 0 && again.output.contains("There is nothing new in the file"))
        // The own file is imported without a question. No staged file is left in the homes, and the exported file is
        // unchanged.
        #expect(try run(["import", stick]).output.contains("There is nothing new in the file"))
        for home in ["home", "b"] { #expect(names(folder.path(home)).allSatisfy { !$0.hasPrefix("import-") }) }
        #expect(Disk.read(stick) == bytes)
    }

    @Test func anEncryptedFileOpensWithItsPassphraseAlone() throws {
        try addSave()
        let stick = folder.path("stick.hearth")
        let exported = try run(["export", "RPG", "--output", stick, "--passphrase-fd", "0"], input: secret)
        #expect(exported.code == 0 && exported.output.contains("encrypted"), "\(exported.errors)")
        let bytes = try #require(Disk.read(stick))
        #expect(bytes[10] == 1 && !contains(bytes, "laptop") && !contains(bytes, "Ada"))
        let wrong = try run(["import", stick, "--passphrase-fd", "0", "--yes"], home: "b", input: Array("x\n".utf8))
        #expect(wrong.code == 1 && wrong.errors.contains("passphrase is wrong"))
        let none = try run(["import", stick, "--yes"], home: "b")
        #expect(none.code == 3 && none.errors.contains("--passphrase-fd"))
        let empty = try run(["import", stick, "--passphrase-fd", "0"], home: "b", input: [10])
        #expect(empty.code == 1 && empty.errors.contains("empty"))
        let closed = try run(["import", stick, "--passphrase-fd", "77"], home: "b")
        #expect(closed.code == 2 && closed.errors.contains("77"))
        let imported = try run(["import", stick, "--passphrase-fd", "0", "--yes"], home: "b", input: secret)
        #expect(imported.code == 0 && imported.output.contains("/coins: 300"), "\(imported.errors)")
    }

    @Test func nothingIsWrittenOverAndNamesLeadNowhere() throws {
        try addSave()
        let stick = folder.write("precious", "stick.hearth")
        let refused = try run(["export", "RPG", "--output", stick])
        #expect(refused.code == 1 && refused.errors.contains("--force"))
        #expect(Disk.read(stick) == Array("precious".utf8))
        chmod(stick, 0o644)
        #expect(try run(["export", "RPG", "--output", stick, "--force"]).code == 0)
        #expect(mode(stick) == 0o600 && Disk.read(stick)?.first == 0x89)
        let away = try run(["export", "RPG", "--output", folder.path("no/such/folder")])
        #expect(away.code == 1 && away.errors.contains("no/such/folder"))
        #expect(try run(["export", "nobody", "--output", folder.path("x")]).code == 1)
    }

    @Test(arguments: [
        ("RPG", "RPG"), ("../../etc/passwd", "etc-passwd"), ("..", "save"), ("", "save"), (".hidden", "hidden"),
        ("a/b", "a-b"), ("Käthes Spiel 2", "Käthes Spiel 2"), ("-rf", "rf"), ("a\u{1B}[2J\n", "a--2J-"),
        ("\u{202E}x", "x"),
    ]) func aProfilesNameIsAFilesName(_ name: String, _ safe: String) { #expect(FilePath.safeName(name) == safe) }

    @Test func aFolderIsNoFileToExportTo_andWhatStandsWhereASaveComesIsSaid() throws {
        try addSave()
        for force in [[], ["--force"]] {
            let folder = try run(["export", "RPG", "--output", folder.path("home")] + force)
            #expect(folder.code == 2 && folder.errors.contains("is a folder\n  name a file in it"), "\(folder.errors)")
        }
        let stick = folder.path("stick.hearth")
        #expect(try run(["export", "RPG", "--output", stick]).code == 0)
        let played = folder.write(#"{"coins": 1}"#, "played.json")
        let looked = try run(["import", stick, "--to", played, "--dry-run"], home: "b")
        #expect(
            looked.errors.contains("\(played) exists: what it holds would become part of the save"), "\(looked.errors)")
        let done = try run(["import", stick, "--to", played, "--yes"], home: "b")
        #expect(done.code == 0 && done.errors.contains("what \(played) held is part of the save now"), "\(done.errors)")
        let again = try run(["add", played, "--name", "Two"], home: "b")
        #expect(
            again.code == 1 && again.errors.contains("to call it otherwise: hearth rename RPG NAME"), "\(again.errors)")
    }

    @Test func theFileOfAnotherSaveIsNamedBeforeTheTwoBecomeOne() throws {
        try addSave()
        let stick = folder.path("stick.hearth")
        #expect(try run(["export", "RPG", "--output", stick]).code == 0)
        let other = folder.write(#"{"coins": 1}"#, "two.json")
        #expect(try run(["add", other, "--name", "Two"], home: "b").code == 0)
        let word = "\(other) is the file of Two: the two become one save on every machine, called RPG"
        let looked = try run(["import", stick, "--to", other, "--dry-run"], home: "b")
        #expect(looked.code == 0 && looked.errors.contains(word), "\(looked.errors)")
        let kept = try run(["import", stick, "--yes"], home: "b")
        #expect(kept.code == 0 && !kept.errors.contains(word), "\(kept.errors)")
        let asked = try run(["restore", "RPG", "--to", other], home: "b")
        #expect(asked.code != 0 && asked.errors.contains(word), "\(asked.errors)")
        #expect(Disk.read(other) == Array(#"{"coins": 1}"#.utf8))
        // The save has a file already: the command that is printed would not work for a file that is another's.
        let third = folder.path("rpg.json")
        #expect(try run(["restore", "RPG", "--to", third], home: "b").code == 0)
        let refused = try run(["restore", "RPG", "--to", other, "--yes"], home: "b")
        #expect(refused.code == 1 && refused.errors.contains("that of Two; name another file"), "\(refused.errors)")
        #expect(Disk.read(other) == Array(#"{"coins": 1}"#.utf8))
    }

    @Test func theBareSaveGoesToStandardOutputOrAFile() throws {
        try addSave()
        let text = #"{"coins": 300, "level": 4, "name": "Ada"}"#
        let printed = try run(["export", "RPG", "--json"])
        #expect(printed.code == 0 && printed.output == text + "\n" && printed.errors == "")
        let written = try run(["export", "RPG", "--json", "--output", folder.path("bare.json")])
        #expect(written.code == 0 && Disk.read(folder.path("bare.json")) == Array(text.utf8))
    }

    @Test func aPlainSaveIsMergedIntoTheOneThatIsNamed() throws {
        try addSave()
        let plain = folder.write(#"{"coins": 320, "level": 2, "name": "Ada"}"#, "old.json")
        let unnamed = try run(["import", plain])
        #expect(unnamed.code == 2 && unnamed.errors.contains("--profile"))
        let preview = try run(["import", plain, "--profile", "RPG", "--dry-run"])
        #expect(preview.code == 0 && preview.output.contains("/coins: 300 → 320") && !preview.output.contains("level"))
        #expect(Disk.read(folder.path("save.json")) == Array(#"{"coins": 300, "level": 4, "name": "Ada"}"#.utf8))
        #expect(try run(["import", plain, "--profile", "RPG"]).code == 0)
        #expect(Disk.read(folder.path("save.json")) == Array(#"{"coins": 320, "level": 4, "name": "Ada"}"#.utf8))
        let broken = folder.write(#"{"coins": 1,}"#, "broken.json")
        let refused = try run(["import", broken, "--profile", "RPG"])
        #expect(refused.code == 1 && refused.errors.contains("broken.json:1:13"), "\(refused.errors)")
        #expect(try run(["import", plain, "--profile", "RPG", "--to", "x"]).code == 2)
    }

    @Test func whatIsNoTransferIsSaid() throws {
        try addSave()
        let stick = folder.path("stick.hearth")
        #expect(try run(["export", "RPG", "--output", stick]).code == 0)
        let bytes = try #require(Disk.read(stick))
        func code(_ bytes: [UInt8], _ words: String) throws -> Int32 {
            let outcome = try run(["import", folder.write(bytes, folder.path("bad")), "--yes"], home: "b")
            #expect(outcome.errors.contains(words) && outcome.output == "", "\(outcome.errors)")
            return outcome.code
        }
        #expect(try code(Array("hello".utf8), "neither") == 1)
        #expect(try code([], "neither") == 1)
        #expect(try code(Array(bytes.dropLast()), "damaged") == 1)
        var newer = bytes
        newer[8] = 9
        #expect(try code(newer, "newer version") == 5)
        #expect(Disk.read(folder.path("bad")) == newer)
        #expect(try run(["import", folder.path("nothing")]).code == 1)
        #expect(try run(["import", stick, "--profile", "RPG"]).code == 2)
    }

    // MARK: Backups

    @Test func aBackupKeyIsShownOnceAndComesBackFromItsWords() throws {
        try addSave()
        let made = try run(["backup-key", "create"])
        #expect(made.code == 0)
        let words = made.output
        #expect(words.split(separator: " ").count == 9 && mode(folder.path("home/backup.key")) == 0o600)
        let twice = try run(["backup-key", "create"])
        #expect(twice.code == 1 && twice.output == "" && twice.errors.contains("already"))
        folder.write(#"{"coins": 301, "level": 4, "name": "Ada"}"#, "save.json")
        #expect(try run(["export", "RPG", "--json"]).code == 0)  // reads the file
        let listed = try run(["backups", "RPG", "--json"])
        let first = try #require(try JSONValue(parsing: Array(listed.output.utf8))["backups"]?.first)
        guard case .string(let name)? = first["name"] else {
            Issue.record("no backup: \(listed.output)")
            return
        }
        let pinned = try run(["backups", "RPG", "--pin", name.string])
        #expect(pinned.code == 0 && pinned.output.contains("pinned"), "\(pinned.errors)")
        unlink(folder.path("home/backup.key"))
        let locked = try run(["backups", "RPG"])
        #expect(locked.code == 0 && locked.output.contains("locked") && locked.output.contains("recover"))
        let refused = try run(["restore", "RPG", "--backup", name.string, "--yes"])
        #expect(refused.code == 1 && refused.errors.contains("recover"))
        let misread = try run(["backup-key", "recover"], input: Array(words.replacing("a", with: "o").utf8))
        #expect(misread.code == 1 && mode(folder.path("home/backup.key")) == nil)
        #expect(try run(["backup-key", "recover"], input: Array(words.uppercased().utf8)).code == 0)
        #expect(try run(["backup-key", "recover"], input: Array(words.utf8)).code == 0)
        #expect(try run(["restore", "RPG", "--backup", name.string, "--yes"]).code == 0)
        let free = try run(["backups", "RPG", "--unpin", name.string])
        #expect(free.code == 0 && !free.output.contains("pinned"))
        #expect(try run(["backups", "RPG", "--pin", "a", "--unpin", "b"]).code == 2)
    }

    private func names(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        return names
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.dropLast(wanted.count - 1).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}

extension JSONValue {
    fileprivate var first: JSONValue? {
        guard case .array(let elements) = self else { return nil }
        return elements.first
    }
}
