import Libc
import TestSupport
import Testing

/// Saves in folders that another tool syncs.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct ForeignSyncTests {
    private let folder = Folder()

    @Test(arguments: [
        (".stfolder", "Syncthing"), (".dropbox.cache", "Dropbox"), ("remotecache.vdf", "Steam Cloud"),
    ]) func aSyncedFolderIsRefusedUnlessToldOtherwise(marker: String, tool: String) throws {
        mkdir(folder.path("synced"), 0o700)
        mkdir(folder.path("synced/game"), 0o700)
        folder.write([], folder.path("synced/" + marker))
        let save = folder.path("synced/game/save.json")
        folder.write(Array(#"{"coins":1}"#.utf8), save)

        let refused = try Command.run("add", save, in: folder)
        #expect(refused.code == 3)
        #expect(refused.errors.contains("\(tool) syncs the folder of \(save)"))
        #expect(try Command.run("status", in: folder).output.contains("No saves yet."))

        #expect(try Command.run("add", save, "--anyway", in: folder).code == 0)
        #expect(Disk.read(save) == Array(#"{"coins":1}"#.utf8))
    }

    @Test func aLinkIntoASyncedFolderIsSeenThrough() throws {
        mkdir(folder.path("synced"), 0o700)
        folder.write([], folder.path("synced/.stfolder"))
        folder.write(Array("{}".utf8), folder.path("synced/save.json"))
        symlink(folder.path("synced"), folder.path("saves"))
        #expect(try Command.run("add", folder.path("saves/save.json"), in: folder).code == 3)
    }
}
