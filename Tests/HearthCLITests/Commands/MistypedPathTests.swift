import TestSupport
import Testing

/// A save that is to come to a path at which none can be.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct MistypedPathTests {
    private let folder = Folder()

    @Test func aSaveIsNotBoundToIt_andComesToTheNextOne() throws {
        let save = folder.path("save.json")
        folder.write(Array(#"{"coins":1}"#.utf8), save)
        #expect(try Command.run("add", save, "--name", "game", in: folder).code == 0)
        #expect(try Command.run("remove", "game", in: folder).code == 0)

        let refused = try Command.run("restore", "game", "--to", save + "/save.json", in: folder)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("\(save) is a file where a folder is needed"), "\(refused.errors)")
        let status = try Command.run("status", in: folder).output
        #expect(!status.contains(save + "/save.json"), "\(status)")

        let other = folder.path("games/rpg/save.json")
        let restored = try Command.run("restore", "game", "--to", other, in: folder)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(Disk.text(other).contains(#""coins":1"#))
    }
}
