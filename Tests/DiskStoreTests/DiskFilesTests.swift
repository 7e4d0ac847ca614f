import Glibc
import LocalFiles
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

@testable import DiskStore

@Suite struct DiskFilesTests {
    let folder = TemporaryFolder()
    let files: DiskFiles
    let path: String
    let profile = ProfileID(high: 1, low: 2)

    init() {
        files = DiskFiles(home: folder["home"])
        path = folder["save.json"]
    }

    private func replace(_ text: String, _ files: DiskFiles? = nil) throws {
        let files = files ?? self.files
        try files.stage(Array(text.utf8), as: ".hearth-1", beside: path)
        try files.exchange(".hearth-1", with: path)
        try files.removeStaged(".hearth-1", beside: path)
    }

    @Test(arguments: [0o600, 0o644, 0o755, 0o400, 0o640] as [mode_t], [false, true])
    func modeIsKept(_ mode: mode_t, _ lacksExchange: Bool) throws {
        Disk.write("old", path, mode: mode)
        try replace("new", DiskFiles(home: folder["home"], lacksExchange: lacksExchange))
        #expect(Disk.mode(path) == mode)
        #expect(Disk.text(path) == "new")
        #expect(Disk.names(in: folder.path) == ["save.json"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func ownerIsKept() throws {
        Disk.write("old", path, mode: 0o600)
        #expect(chown(path, 12_345, 54_321) == 0)
        try replace("new")
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_uid == 12_345)
        #expect(status.st_gid == 54_321)
    }

    /// A draft has the mode and the owner of the file that it will replace, as a staged file has; one that is not moved
    /// leaves nothing, and one that a killed process left is no hindrance.
    @Test(arguments: [0o600, 0o644, 0o400] as [mode_t]) func aDraftIsLikeItsTarget(_ mode: mode_t) throws {
        mkdir(folder["home"], 0o700)
        Disk.write("left", folder["home/next-save"])
        Disk.write("old", path, mode: mode)
        do {
            let draft = try #require(files.draft(Array("new".utf8), for: path))
            #expect(draft.move(to: ".hearth-1", beside: path))
        }
        #expect(Disk.mode(folder[".hearth-1"]) == mode && Disk.text(folder[".hearth-1"]) == "new")
        #expect(files.draft([1], for: path) != nil)
        #expect(Disk.names(in: folder["home"]) == [])
        // The folder of the save is gone meanwhile: nothing is moved anywhere.
        let draft = try #require(files.draft([1], for: path))
        #expect(!draft.move(to: ".hearth-2", beside: folder["gone/save.json"]))
    }

    #if os(Linux)
        /// A file cannot be moved to another file system.
        @Test(.enabled(if: MountNamespace.isAllowed, "mounts need root and a mount namespace"))
        func noDraftGoesToAnotherDisk() throws {
            mkdir(folder["home"], 0o700)
            mkdir(folder["stick"], 0o700)
            let (files, stick) = (files, folder["stick"])
            MountNamespace.run {
                #expect(MountNamespace.mount("tmpfs", stick, "tmpfs", 0))
                Disk.write("old", stick + "/save.json")
                #expect(files.draft([1], for: stick + "/save.json") == nil)
            }
        }
    #endif

    /// A game that has looked at its file and is about to replace it.
    @Test(arguments: [false, true]) func nothingIsSwappedWhileAGameWrites(lacksExchange: Bool) throws {
        Disk.write("old", path)
        let files = DiskFiles(home: folder["home"], lacksExchange: lacksExchange)
        let game = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(game, LOCK_EX) == 0)
        try files.stage([0x6E], as: ".hearth-1", beside: path)
        let fault = #expect(throws: StorageFault.self) { try files.exchange(".hearth-1", with: path) }
        #expect(fault?.reason == .changed)
        #expect(Disk.text(path) == "old" && Disk.text(folder[".hearth-1"]) == "n")
        // A program that another test starts has the folder open until it runs, and a lock ends with the last of them.
        flock(game, LOCK_UN)
        close(game)
        try files.exchange(".hearth-1", with: path)
        #expect(Disk.text(path) == "n" && Disk.text(folder[".hearth-1"]) == "old")
        // And it lets go.
        guard case .written = try SaveFile(path: path).write([0x32], over: SaveFile(path: path).mark()) else {
            Issue.record("the game could not save")
            return
        }
    }

    @Test func aNewFileTakesTheUsualMode() throws {
        try files.stage([1], as: ".hearth-1", beside: path)
        try files.place(".hearth-1", at: path)
        #expect(Disk.mode(path) == 0o644 & ~files.mask)
    }

    @Test func extendedAttributesAreKept() throws {
        Disk.write("old", path)
        let file = try Descriptor(path, O_RDONLY)
        let code = LinuxCalls.setAttribute(file.number, "user.origin", Array("a disc".utf8))
        try #require(code == 0 || code == ENOTSUP)
        guard code == 0 else { return }
        try replace("new")
        let after = try Descriptor(path, O_RDONLY)
        #expect(LinuxCalls.attribute(after.number, "user.origin") == Array("a disc".utf8))
    }

    @Test func aLinkStaysALink() throws {
        mkdir(folder["real"], 0o755)
        Disk.write("old", folder["real/target.json"])
        symlink("real/target.json", folder["middle"])
        symlink(folder["middle"], path)
        try replace("new")
        #expect(Disk.isLink(path))
        #expect(Disk.isLink(folder["middle"]))
        #expect(Disk.text(folder["real/target.json"]) == "new")
        #expect(Disk.names(in: folder["real"]) == ["target.json"])
    }

    @Test func aDanglingLinkIsAnAbsentFile() throws {
        mkdir(folder["real"], 0o755)
        symlink("real/target.json", path)
        #expect(try files.read(path, limit: 10) == nil)
        try files.stage([49], as: ".hearth-1", beside: path)
        try files.place(".hearth-1", at: path)
        #expect(Disk.isLink(path))
        #expect(Disk.text(folder["real/target.json"]) == "1")
    }

    @Test func aLinkInACircleIsRefused() throws {
        symlink("b", folder["a"])
        symlink("a", folder["b"])
        let fault = #expect(throws: StorageFault.self) { try files.read(folder["a"], limit: 10) }
        #expect(fault?.reason == .notAFile)
    }

    @Test func aHardLinkIsRefused() throws {
        Disk.write("old", path)
        link(path, folder["other"])
        let fault = #expect(throws: StorageFault.self) { try files.stage([1], as: ".hearth-1", beside: path) }
        #expect(fault?.reason == .shared)
        #expect(fault?.message.contains("hard link") == true)
        #expect(Disk.names(in: folder.path) == ["other", "save.json"])
        unlink(folder["other"])
        try files.stage([1], as: ".hearth-1", beside: path)
        link(path, folder["other"])
        let late = #expect(throws: StorageFault.self) { try files.exchange(".hearth-1", with: path) }
        #expect(late?.reason == .shared)
    }

    @Test(.timeLimit(.minutes(5))) func whatIsNoFileIsNamed() throws {
        let fifo = folder["fifo"]
        mkfifo(fifo, 0o600)
        mkdir(folder["dir"], 0o755)
        let socketPath = folder["socket"]
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        for (path, kind) in [
            (fifo, "a FIFO"), (folder["dir"], "a folder"), (socketPath, "a socket"), ("/dev/null", "a device"),
        ] {
            let fault = #expect(throws: StorageFault.self) { try files.read(path, limit: 10) }
            #expect(fault?.reason == .notAFile, "\(path)")
            #expect(fault?.message.contains(kind) == true, "\(fault?.message ?? "")")
            guard path != "/dev/null" else { continue }
            let staged = #expect(throws: StorageFault.self) { try files.stage([1], as: ".hearth-1", beside: path) }
            #expect(staged?.reason == .notAFile)
        }
        #expect(throws: StorageFault.self) { try files.read("/", limit: 10) }
        #expect(throws: StorageFault.self) { try files.read("relative", limit: 10) }
        #expect(throws: StorageFault.self) { try files.read("/tmp/a\0b", limit: 10) }
        #expect(try files.read(folder["nowhere/save.json"], limit: 10) == nil)
        #expect(throws: StorageFault.self) { try files.stage([1], as: "x", beside: folder["nowhere/save.json"]) }
    }

    @Test func modificationTimeIsInMilliseconds() throws {
        Disk.write("x", path)
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 123_456_789)
        var times = [time, time]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        #expect(try files.read(path, limit: 10)?.modified == 1_700_000_000_123)
    }

    @Test func aWriterIsNoticedAndAReaderIsNot() async {
        Disk.write("x", folder[".hearth-1"])
        #expect(!files.isHeldOpen(".hearth-1", beside: path))
        let reader = open(folder[".hearth-1"], O_RDONLY | O_CLOEXEC)
        #expect(!files.isHeldOpen(".hearth-1", beside: path))
        let writer = open(folder[".hearth-1"], O_WRONLY | O_CLOEXEC)
        #expect(files.isHeldOpen(".hearth-1", beside: path))
        close(writer)
        // A program that another test starts has all files of this process open until it runs.
        #expect(await eventually { !files.isHeldOpen(".hearth-1", beside: path) })
        close(reader)
    }

    @Test func quarantineSaysWhere() throws {
        let place = try files.quarantine([1, 2], of: profile, named: ".hearth-1")
        #expect(place == folder["home/quarantine/\(profile)/hearth-1"])
        #expect(Disk.read(place) == [1, 2])
    }
}
