import HearthCLI
import Libc
import LocalFiles
import Testing

struct FilePathTests {
    @Test(arguments: [
        ("save.json", "/home/anna/save.json"), ("./a//b/./c", "/home/anna/a/b/c"), ("../x", "/home/x"),
        ("/x/../y", "/y"), ("../../../..", "/"), ("/", "/"), ("/a/", "/a"), ("a/../b", "/home/anna/b"),
    ]) func absolute(_ path: String, _ result: String) {
        #expect(FilePath.absolute(path, folder: "/home/anna") == result)
    }

    /// `..` after a symlink may lead anywhere, so the two steps are not removed.
    @Test func absolute_keepsSymlinks() {
        let folder = Folder()
        symlink("/usr/lib", folder.path("link"))
        #expect(FilePath.absolute("link/save.json", folder: folder.path) == folder.path + "/link/save.json")
        #expect(FilePath.absolute("link/../x", folder: folder.path) == folder.path + "/link/../x")
        #expect(FilePath.absolute("link/../../x", folder: folder.path) == folder.path + "/link/../../x")
    }

    @Test(arguments: [
        ("/a/save.json", "save"), ("/a/.hidden", ".hidden"), ("/a/x.tar.gz", "x.tar"), ("/a/plain", "plain"), ("/", ""),
    ])
    func stem(_ path: String, _ result: String) {
        #expect(FilePath.stem(path) == result)
    }
}
