import TestSupport
import Testing

/// What `hearth add` calls a save, and the file with guessed rules.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct AddCommandTests {
    private let folder = Folder()

    /// A name that a person gives is taken as it is, or refused; one that comes from the file's name is made plain.
    @Test func aNameIsTheSameEverywhereOrRefused() throws {
        let save = folder.path(" slot\u{202E} one.json")
        folder.write(Array(#"{"coins":1}"#.utf8), save)
        let refused = try Command.run("add", save, "--name", " x ", in: folder)
        #expect(refused.code == 2)
        #expect(refused.errors.contains("no space at its ends"))

        let added = try Command.run("add", save, in: folder)
        #expect(added.code == 0)
        #expect(added.output.hasPrefix("slot one is kept"))
        #expect(added.errors.contains("/proposed-rules/slot-one.yaml;"))
    }

    @Test func aNameWithoutLettersHasAFileAsWell() throws {
        let save = folder.path("save.json")
        folder.write(Array(#"{"coins":1}"#.utf8), save)
        #expect(try Command.run("add", save, "--name", "😀😀", in: folder).errors.contains("/proposed-rules/save.yaml;"))
    }

    @Test func whereNothingIsGuessedTheNoteSaysSo() throws {
        let save = folder.path("save.json")
        folder.write(Array(#"{"x":1}"#.utf8), save)
        let added = try Command.run("add", save, in: folder)
        #expect(added.errors.contains("nothing in the save suggests a rule"))
        #expect(!added.errors.contains("proposed-rules"))
    }
}
