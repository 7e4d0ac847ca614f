import Glibc
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

@testable import DiskStore

/// The engine over a real folder and a real database.
@Suite struct EngineOnDiskTests {
    let folder = TemporaryFolder()

    @Test func aRemoteEditReachesTheFile() throws {
        let path = folder["save.json"]
        let home = folder["home"]
        try HomeFolder.create(home)
        let lock = try HomeLock(home: home)
        Disk.write(TestSave.bytes(coins: 100, level: 1), path, mode: 0o640)
        let record = try SQLiteRecord(home: home)
        var device = try TestDevice(DiskFiles(home: home), record, path: path, number: 1)
        let id = try device.add()

        Disk.replace(path, with: TestSave.bytes(coins: 110, level: 1))
        chmod(path, 0o640)
        #expect(try device.engine.ingest(id, now: device.now) == .edited)

        let memory = MemoryFiles()
        var other = try TestDevice(memory, MemoryRecord(), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        #expect(memory.bytes(at: other.path) != nil)
        memory.saveByRename(TestSave.bytes(coins: 150, level: 5), at: other.path)
        try other.settle(id)

        try device.join(id, from: other)
        #expect(device.project(id) == .written)
        #expect(Disk.read(path) == TestSave.bytes(coins: 150, level: 5))
        #expect(Disk.mode(path) == 0o640)
        device.engine.makePendingBackups(id, now: device.now)
        let kept = try device.engine.backups(id).map { device.engine.readBackup(id, $0.name) }
        #expect(
            kept == [.document(TestSave.bytes(coins: 100, level: 1)), .document(TestSave.bytes(coins: 110, level: 1))])
        #expect(Disk.names(in: folder.path).count == 3)  // home, save, the displaced file
        try device.settle(id)
        #expect(Disk.names(in: folder.path) == ["home", "save.json"])

        let before = try #require(device.engine.profiles[id])
        record.close()
        let again = try SQLiteRecord(home: home)
        var reopened = try TestDevice(DiskFiles(home: home), again, path: path, number: 1)
        let recovered = reopened.engine.recover(id, now: reopened.now)
        #expect(!recovered)
        let after = try #require(reopened.engine.profiles[id])
        #expect(after.state.sortedAtoms == before.state.sortedAtoms)
        #expect(after.state.vector == before.state.vector)
        #expect(after.state.rules == before.state.rules)
        #expect(after.replica == before.replica)
        #expect(after.file.path == path)
        #expect(after.baseHistory.newest?.bytes == TestSave.bytes(coins: 150, level: 5))
        try reopened.settle(id)
        #expect(Disk.read(path) == TestSave.bytes(coins: 150, level: 5))
        withExtendedLifetime(lock) {}
    }

    @Test func aFileSystemWithoutExchangeDoesAsWell() throws {
        let path = folder["save.json"]
        try HomeFolder.create(folder["home"])
        Disk.write(TestSave.bytes(coins: 100, level: 1), path, mode: 0o600)
        let files = DiskFiles(home: folder["home"], lacksExchange: true)
        var device = try TestDevice(files, MemoryRecord(), path: path, number: 1)
        let id = try device.add()
        var other = try TestDevice(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        other.engine.files.saveByRename(TestSave.bytes(coins: 140, level: 2), at: other.path)
        try other.settle(id)
        try device.join(id, from: other)
        try device.settle(id)
        #expect(Disk.read(path) == TestSave.bytes(coins: 140, level: 2))
        #expect(Disk.mode(path) == 0o600)
        #expect(Disk.names(in: folder.path) == ["home", "save.json"])
    }
}
