import DiskStore
import Glibc
import ProfileKeeping
import TestSupport
import Testing

extension ChildProcess {
    /// Starts a shell command.
    static func shell(_ command: String) throws -> ChildProcess { try ChildProcess("/bin/sh", ["-c", command]) }
}

/// Who opened a file, as the kernel tells it. Where it tells nobody (an old kernel, a container that forbids it), every
/// answer is "unknown"; that is judged in its place.
@Suite(.timeLimit(.minutes(5))) struct FanotifyOpensTests {
    /// Whether the kernel lets us watch the folders of these tests; asked without the code that is tested.
    static let isThere: Bool = {
        typealias Begin = @convention(c) (UInt32, UInt32) -> Int32
        typealias Mark = @convention(c) (Int32, UInt32, UInt64, Int32, UnsafePointer<CChar>) -> Int32
        guard let begin = dlsym(nil, "fanotify_init"), let mark = dlsym(nil, "fanotify_mark") else { return false }
        let queue = unsafeBitCast(begin, to: Begin.self)(0xC00, 0)
        guard queue >= 0 else { return false }
        defer { close(queue) }
        let openOfChild: UInt64 = 0x0800_0020
        let folder = TemporaryFolder()
        return withExtendedLifetime(folder) {
            unsafeBitCast(mark, to: Mark.self)(queue, 1, openOfChild, AT_FDCWD, folder.path) == 0
        }
    }()

    let folder = TemporaryFolder()
    let opens = FanotifyOpens()
    let path: String

    init() {
        path = folder["save.json"]
        Disk.write("one", path)
        opens.watch([path], without: [])
    }

    /// Asks, and judges the answer.
    private func expect(
        _ wanted: FileOpens, of path: String? = nil, _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let answer = opens.opens(of: path ?? self.path)
        #expect(answer == (Self.isThere ? wanted : .unknown), comment, sourceLocation: sourceLocation)
    }

    @Test func theFirstAnswerIsThatNobodyKnows() {
        expect(.unknown)
        expect(.none)
        expect(.unknown, of: folder["other"])
    }

    @Test(arguments: ["cat", "head -c 1", "cp -t FOLDER", "exec 3<"]) func anotherProcessReads(command: String) throws {
        // Elsewhere, where there is such a place, so that the content is read and not shared by both files.
        let other = TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
        let reading = command.replacing("FOLDER", with: other.path)
        _ = opens.opens(of: path)
        try ChildProcess.shell("\(reading) '\(path)' >/dev/null 2>&1").waitForEnd()
        expect(.seen)
        expect(.none, "told once")
    }

    /// Open for reading and writing, neither done: it may have been mapped into memory.
    @Test(arguments: ["exec 3<>", "touch"]) func anOpenWithoutAWriteCounts(command: String) throws {
        _ = opens.opens(of: path)
        try ChildProcess.shell("\(command) '\(path)'").waitForEnd()
        expect(.seen)
    }

    /// Open, nothing read yet.
    @Test func anOpenAloneCounts() async throws {
        _ = opens.opens(of: path)
        let child = try ChildProcess.shell("exec 3<'\(path)'; touch '\(path).ready'; exec sleep 60")
        #expect(await eventually { access(path + ".ready", F_OK) == 0 })
        expect(.seen)
        child.kill()
    }

    @Test func ourOwnOpensAreNone() throws {
        _ = opens.opens(of: path)
        for _ in 0..<50 { #expect(Disk.text(path) == "one") }
        expect(.none)
        // Whoever reads between ours is seen.
        for _ in 0..<20 {
            _ = Disk.text(path)
            try ChildProcess.shell("cat '\(path)' >/dev/null").waitForEnd()
            _ = Disk.text(path)
            expect(.seen)
        }
    }

    @Test(arguments: [
        "printf two > 'F'", "printf two >> 'F'", "printf two > 'F.new'; mv 'F.new' 'F'", "rm 'F'",
    ])
    func whoOnlyWritesHasNotRead(command: String) throws {
        _ = opens.opens(of: path)
        let words = command.split(separator: "F", omittingEmptySubsequences: false)
        try ChildProcess.shell(words.joined(separator: path)).waitForEnd()
        expect(.none)
    }

    /// What a process wrote and read in one span of time may have been read before or after. A rename tells that.
    @Test(arguments: [
        "read -r x < 'F'; printf two > 'F'", "read -r x < 'F'; printf two >> 'F'; read -r x < 'F'",
        "exec perl -e 'open(N,q(>F.new));print N 2;close N;rename(q(F.new),q(F));open(N,q(F));<N>'",
        "exec perl -e 'rename(q(F),q(F.old));open(N,q(>F.new));close N;rename(q(F.new),q(F));open(N,q(F));<N>'",
    ])
    func whoReadsWhatItWroteIsNoReaderBefore(command: String) throws {
        _ = opens.opens(of: path)
        let words = command.split(separator: "F", omittingEmptySubsequences: false)
        try ChildProcess.shell(words.joined(separator: path)).waitForEnd()
        expect(.seen)
    }

    /// A game that reads its file and replaces it is one process, also where it saves long after.
    @Test(arguments: [
        "read -r x < 'F'; printf two > 'F.new'; exec mv 'F.new' 'F'",
        "exec perl -e 'open(O,q(F));<O>;open(N,q(>F.new));print N 2;close N;rename(q(F.new),q(F))'",
    ])
    func whoReadsAndReplacesIsOneProcess(command: String) throws {
        _ = opens.opens(of: path)
        let script = command.split(separator: "F", omittingEmptySubsequences: false).joined(separator: path)
        try ChildProcess.shell(script).waitForEnd()
        expect(.byWriter)
        // Another one that reads before or after it, or both.
        for readers in [("cat", ":"), (":", "cat"), ("cat", "cat")] {
            Disk.write("one", path, mode: 0o600)
            _ = opens.opens(of: path)
            try ChildProcess.shell("\(readers.0) '\(path)' >/dev/null").waitForEnd()
            try ChildProcess.shell(script).waitForEnd()
            try ChildProcess.shell("\(readers.1) '\(path)' >/dev/null").waitForEnd()
            expect(.seen)
        }
        // What was asked for in between is told apart.
        try ChildProcess.shell("cat '\(path)' >/dev/null").waitForEnd()
        expect(.seen)
        try ChildProcess.shell("printf two > '\(path)'").waitForEnd()
        expect(.none)
    }

    /// A process that reads what another one wrote is no writer, however often both do it.
    @Test func anotherReaderIsSeenEveryTime() throws {
        _ = opens.opens(of: path)
        for number in 0..<40 {
            try ChildProcess.shell("printf \(number) > '\(path).new'; exec mv '\(path).new' '\(path)'").waitForEnd()
            try ChildProcess.shell("cat '\(path)' >/dev/null").waitForEnd()
        }
        expect(.seen)
        for number in 0..<40 {
            try ChildProcess.shell("printf \(number) > '\(path).new'; exec mv '\(path).new' '\(path)'").waitForEnd()
        }
        expect(.none)
    }

    @Test func otherFilesInTheFolderAreOthers() throws {
        let other = folder["other.json"]
        Disk.write("x", other)
        opens.watch([other], without: [])
        _ = opens.opens(of: path)
        _ = opens.opens(of: other)
        try ChildProcess.shell("cat '\(other)' >/dev/null").waitForEnd()
        expect(.none)
        expect(.seen, of: other)
        opens.watch([], without: [other])
        expect(.unknown, of: other)
        expect(.none)
        opens.watchNothing()
        expect(.unknown)
    }

    /// Another folder of that name was not watched.
    @Test func anExchangedFolderIsUnknown() throws {
        let inner = folder["saves"]
        mkdir(inner, 0o700)
        let path = inner + "/save.json"
        Disk.write("one", path)
        opens.watch([path], without: [])
        _ = opens.opens(of: path)
        expect(.none, of: path)
        rename(inner, inner + ".old")
        mkdir(inner, 0o700)
        Disk.write("two", path)
        try ChildProcess.shell("cat '\(path)' >/dev/null").waitForEnd()
        expect(.unknown, of: path)
        expect(.none, of: path)
        try ChildProcess.shell("cat '\(path)' >/dev/null").waitForEnd()
        expect(.seen, of: path)
    }

    /// The file is read where the link leads, whoever reads it by whatever name.
    @Test func linksAreFollowed() throws {
        let elsewhere = TemporaryFolder()
        Disk.write("one", elsewhere["real.json"])
        let link = folder["link.json"]
        symlink(elsewhere["real.json"], link)
        opens.watch([link], without: [])
        _ = opens.opens(of: link)
        expect(.none, of: link)
        for name in [link, elsewhere["real.json"]] {
            try ChildProcess.shell("cat '\(name)' >/dev/null").waitForEnd()
            expect(.seen, of: link)
        }
    }

    /// What the queue could not hold may have been anything.
    @Test func anOverflowIsUnknown() throws {
        let limit = Int(Disk.text("/proc/sys/fs/fanotify/max_queued_events").dropLast()) ?? 16_384
        try #require(limit < 100_000)
        _ = opens.opens(of: path)
        for number in 0..<(limit + 100) { Disk.write("x", folder["f\(number)"]) }
        expect(.unknown)
        expect(.none)
    }
}
