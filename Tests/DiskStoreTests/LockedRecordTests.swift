import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SQLiteDatabases
import TestSupport
import Testing

@testable import DiskStore

/// Another program has the record open for writing.
@Suite(.timeLimit(.minutes(5))) struct LockedRecordTests {
    let folder = TemporaryFolder()

    @Test func aSaveWaitsUntilTheRecordIsFree() throws {
        let (path, home) = (folder["save.json"], folder["home"])
        try HomeFolder.create(home)
        Disk.write(TestSave.bytes(coins: 100, level: 1), path)
        let record = try SQLiteRecord(home: home)
        var device = try TestDevice(DiskFiles(home: home), record, path: path, number: 1)
        let id = try device.add()
        Disk.replace(path, with: TestSave.bytes(coins: 110, level: 1))

        let other = try SQLiteDatabase(path: home + "/hearth.sqlite")
        try other.use { db in
            try db.execute("BEGIN IMMEDIATE")
            let fault = #expect(throws: StorageFault.self) { _ = try device.engine.ingest(id, now: device.now) }
            #expect(fault?.message.contains("another program holds the record") == true, "\(fault?.message ?? "")")
            #expect(fault?.message.contains("; close it") == true)
            #expect(fault?.message.contains(home) == true)
            try db.execute("ROLLBACK")
        }
        other.close()
        #expect(try device.engine.ingest(id, now: device.now) == .edited)
        #expect(try device.engine.ingest(id, now: device.now) == .unchanged)

        // Counted once, in the record as well as beyond it.
        record.close()
        let reopened = try TestDevice(DiskFiles(home: home), SQLiteRecord(home: home), path: path, number: 1)
        var there = try TestDevice(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 2)
        try there.restore(id, from: reopened)
        let shown = String(decoding: there.engine.files.bytes(at: there.path) ?? [], as: UTF8.self)
        #expect(shown.contains("110"), "\(shown)")
    }
}
