import Glibc
import ProfileKeeping
import TestSupport
import Testing

@testable import DiskStore

/// The folder of a save that comes to a machine on which its game was never started.
@Suite struct MakeFolderTests {
    let folder = TemporaryFolder()
    private var files: DiskFiles { DiskFiles(home: folder["home"]) }

    @Test func missingFoldersAreMade() throws {
        try files.makeFolder(of: folder["games/rpg/slot 1/save.json"])
        #expect(Disk.names(in: folder.path) == ["games"])
        #expect(Disk.names(in: folder["games/rpg"]) == ["slot 1"])
        #expect(Disk.names(in: folder["games/rpg/slot 1"]) == [])
    }

    @Test func aFolderThatIsThereStaysAsItIs() throws {
        mkdir(folder["saves"], 0o755)
        Disk.write([1], folder["saves/save.json"])
        try files.makeFolder(of: folder["saves/save.json"])
        try files.makeFolder(of: folder["saves/other.json"])
        #expect(Disk.names(in: folder["saves"]) == ["save.json"])
        #expect(Disk.mode(folder["saves"]) == 0o755)
    }

    /// A link names a place of its own, and nothing is made outside of what was named.
    @Test func whereALinkLeadsNothingIsMade() throws {
        symlink(folder["elsewhere/save.json"], folder["save.json"])
        try files.makeFolder(of: folder["save.json"])
        #expect(Disk.names(in: folder.path) == ["save.json"])
    }

    /// Where the kernel makes no folder, a try at another time comes to the same.
    @Test func whereNoFolderCanBeItIsSaid() {
        let fault = #expect(throws: StorageFault.self) { try HomeFolder.create("/proc/none/home") }
        #expect(fault?.message == "cannot make the folder /proc/none: No such file or directory; choose another")
    }

    /// As where the disk that a link leads to is missing.
    @Test func aLinkThatLeadsNowhereIsNoFolder() {
        symlink(folder["missing/games"], folder["games"])
        #expect(throws: StorageFault.self) { try files.makeFolder(of: folder["games/save.json"]) }
        #expect(Disk.names(in: folder.path) == ["games"])
    }

    @Test(arguments: ["saves/rpg/save.json", "saves/save.json"]) func aFileInTheWayIsNamed(path: String) throws {
        Disk.write([1], folder["saves"])
        do throws(StorageFault) {
            try files.makeFolder(of: folder[path])
            Issue.record("a folder was made in a file")
        } catch {
            #expect(error.message.contains(folder["saves"]), "\(error)")
        }
        #expect(Disk.read(folder["saves"]) == [1])
    }
}
