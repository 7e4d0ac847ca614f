import Libc
import TestSupport
import Testing

/// One file that two paths lead to, as Steam's folders do. Two saves with one file would count each other's merges as play.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct SameFileTests {
    private let folder = Folder()

    /// The real path of a save, one through a folder that is a link, and one that is a link itself.
    private func paths() -> (real: String, linkedFolder: String, link: String) {
        mkdir(folder.path("share"), 0o700)
        symlink(folder.path("share"), folder.path("steam"))
        let real = folder.path("share/save.json")
        folder.write(Array(#"{"coins":300}"#.utf8), real)
        symlink(real, folder.path("link.json"))
        return (real, folder.path("steam/save.json"), folder.path("link.json"))
    }

    @Test(arguments: [0, 1, 2]) func aFileIsOneSaveByWhateverPath(first: Int) throws {
        let (real, linkedFolder, link) = paths()
        let paths = [real, linkedFolder, link]
        #expect(try Command.run("add", paths[first], "--name", "game", in: folder).code == 0)
        for other in paths where other != paths[first] {
            let refused = try Command.run("add", other, "--name", "again", in: folder)
            #expect(refused.code == 1)
            let words = "\(other) is the same file as \(paths[first]), which is the save game already"
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
        #expect(try Command.run("status", in: folder).output.contains("again") == false)
    }

    @Test func noSaveIsMovedOntoAnothersFile() throws {
        let (real, linkedFolder, link) = paths()
        folder.write(Array(#"{"coins":7}"#.utf8), folder.path("other.json"))
        #expect(try Command.run("add", real, "--name", "game", in: folder).code == 0)
        #expect(try Command.run("add", folder.path("other.json"), "--name", "other", in: folder).code == 0)
        for path in [linkedFolder, link] {
            for verb in [["move", "other", path], ["restore", "other", "--to", path, "--yes"]] {
                let refused = try Command.run(verb, in: folder)
                #expect(refused.code == 1, "\(refused.errors)")
                #expect(refused.errors.contains("is the same file as \(real)"), "\(refused.errors)")
            }
        }
        // Nor is a save moved to another path of its own file, which would then be said to be left behind.
        #expect(try Command.run("move", "game", link, in: folder).code == 1)
    }

    /// The folder of a kept save moves to another disk, and a link takes its place.
    @Test func aFolderThatBecameALinkIsSeenThrough() throws {
        let (real, _, _) = paths()
        #expect(try Command.run("add", real, "--name", "game", in: folder).code == 0)
        rename(folder.path("share"), folder.path("disk"))
        symlink(folder.path("disk"), folder.path("share"))
        let moved = folder.path("disk/save.json")
        let refused = try Command.run("add", moved, "--name", "again", in: folder)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("\(moved) is the same file as \(real)"), "\(refused.errors)")
    }

    /// A link that leads elsewhere by now hides nothing.
    @Test func aLinkThatLeadsElsewhereIsAnotherFile() throws {
        let (real, _, link) = paths()
        #expect(try Command.run("add", link, "--name", "game", in: folder).code == 0)
        unlink(link)
        folder.write(Array(#"{"coins":9}"#.utf8), folder.path("elsewhere.json"))
        symlink(folder.path("elsewhere.json"), link)
        #expect(try Command.run("add", real, "--name", "another", in: folder).code == 0)
    }
}
