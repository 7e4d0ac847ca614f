import Glibc
import ProfileKeeping
import TestSupport
import Testing

@testable import DiskStore

/// What a crash leaves of a swap in steps, and that the next look finishes or undoes it.
@Suite struct SwapInStepsTests {
    let folder = TemporaryFolder()
    var path: String { folder["save.json"] }
    var staged: String { folder[".hearth-1"] }
    var aside: String { folder[".hearth-1.aside"] }

    private func look() throws -> String? {
        try DiskFiles(home: folder["home"], lacksExchange: true).readStaged(".hearth-1", beside: path, limit: 100)
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func linkedAsideOnly() throws {
        Disk.write("old", path)
        Disk.write("new", staged)
        link(path, aside)
        #expect(try look() == "new")
        #expect(Disk.names(in: folder.path) == [".hearth-1", "save.json"])
        #expect(Disk.text(path) == "old")
    }

    @Test func newFileInPlace() throws {
        Disk.write("new", path)
        Disk.write("old", aside)
        #expect(DiskFiles(home: folder["home"]).stagedNames(beside: path, prefix: ".hearth-") == [])
        #expect(try look() == "old")
        #expect(Disk.names(in: folder.path) == [".hearth-1", "save.json"])
        #expect(Disk.text(path) == "new")
    }

    @Test func nothingInPlace() throws {
        Disk.write("old", aside)
        Disk.write("new", staged)
        #expect(try look() == "new")
        #expect(Disk.text(path) == "old")
        #expect(Disk.names(in: folder.path) == [".hearth-1", "save.json"])
    }

    @Test func removingTheStagedFileTakesAllWithIt() throws {
        Disk.write("old", path)
        Disk.write("new", staged)
        link(path, aside)
        try DiskFiles(home: folder["home"]).removeStaged(".hearth-1", beside: path)
        #expect(Disk.names(in: folder.path) == ["save.json"])
    }
}
