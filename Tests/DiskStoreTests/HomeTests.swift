import Glibc
import LocalFiles
import ProfileKeeping
import Synchronization
import TestSupport
import Testing

@testable import DiskStore

@Suite struct HomeTests {
    let folder = TemporaryFolder()

    @Test func theHomeIsPrivate() throws {
        try HomeFolder.create(folder["a/b/home"])
        #expect(Disk.mode(folder["a/b/home"]) == 0o700)
        #expect(Disk.mode(folder["a"]) == 0o700)
        try HomeFolder.create(folder["a/b/home"])
        Disk.write("x", folder["file"])
        #expect(throws: StorageFault.self) { try HomeFolder.create(folder["file/home"]) }
        #expect(throws: StorageFault.self) { try HomeFolder.create("relative") }
    }

    @Test func whatAKilledProgramHandedOverIsRemoved() {
        // More than any process has.
        let gone = (1 << 22) + 1
        let names = ["import-\(gone)", "import-\(gone)-7", "import-\(getpid())", "import-x", "import-", "agent.lock"]
        for name in names { Disk.write("x", folder[name]) }
        StagedBytes.sweep(folder.path)
        #expect(Disk.names(in: folder.path) == names.dropFirst(2).sorted())
    }

    @Test func aSecondAgentIsNamedTheFirst() throws {
        let home = folder.path
        do {
            let first = try HomeLock(home: home)
            let fault = #expect(throws: StorageFault.self) { _ = try HomeLock(home: home) }
            #expect(fault?.message.contains("pid \(getpid())") == true, "\(fault?.message ?? "")")
            withExtendedLifetime(first) {}
        }
        _ = try HomeLock(home: home)
        #expect(Disk.mode(home + "/agent.lock") == 0o600)
    }

    /// A command that answers without an agent is done in a moment, and the agent that starts meanwhile waits for it.
    @Test func anAgentWaitsForACommand() async throws {
        let home = folder.path
        let command = Mutex<HomeLock?>(try HomeLock(home: home, as: .command))
        #expect(HomeLock.holder(of: home) == .command && HomeLock.owner(of: home) == "pid \(getpid())")
        let pauses = Mutex(0)
        let lock = try await HomeLock.take(home, as: .agent) {
            #expect(HomeLock.holder(of: home) == .command)
            let count = pauses.withLock {
                $0 += 1; return $0
            }
            if count == 3 { command.withLock { $0 = nil } }
        }
        #expect(HomeLock.holder(of: home) == .agent && pauses.withLock { $0 } == 3)
        withExtendedLifetime(lock) {}
    }

    /// A home that was deleted or exchanged is nobody's any more, and whoever holds its lock can tell.
    @Test func aHomeThatIsGoneIsNoticed() throws {
        let home = folder["home"]
        try HomeFolder.create(home)
        let lock = try HomeLock(home: home)
        #expect(lock.isInPlace)
        #expect(rename(home, folder["elsewhere"]) == 0)
        #expect(!lock.isInPlace)
        try HomeFolder.create(home)
        let other = try HomeLock(home: home)
        #expect(!lock.isInPlace && other.isInPlace)
    }

    /// As in a program that another thread has just started: until it runs, it has the files of this process open.
    @Test func theLockEndsThoughItsFileIsOpenElsewhere() throws {
        let home = folder.path
        var copy: Int32?
        do {
            let lock = try HomeLock(home: home)
            let number = Disk.names(in: "/proc/self/fd").first {
                ProcessFiles.target(of: "/proc/self/fd/\($0)") == home + "/agent.lock"
            }
            copy = number.flatMap { Int32($0) }.map { dup($0) }
            withExtendedLifetime(lock) {}
        }
        let open = try #require(copy)
        defer { close(open) }
        _ = try HomeLock(home: home)
    }

    @Test func aLeftoverLockFileIsNoLock() throws {
        Disk.write("999999999999999999999999999999", folder["agent.lock"])
        _ = try HomeLock(home: folder.path)
        #expect(Disk.text(folder["agent.lock"]) == "\(getpid())\n")
    }
}
