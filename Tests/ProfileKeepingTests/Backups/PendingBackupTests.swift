import HouseholdSimulation
import MergeCore
import Testing

@testable import ProfileKeeping

/// The backup that a change is preceded by is made after it, from what the record holds.
@Suite struct PendingBackupTests {
    private let files = MemoryFiles()
    private let record = MemoryRecord()
    private let path = "/a/save.json"

    private func device() throws -> (TestDevice<MemoryFiles, MemoryRecord>, ProfileID) {
        files.saveByRename(TestSave.bytes(coins: 100, level: 1), at: path)
        var device = try TestDevice(files, record, path: path, number: 1)
        let id = try device.add()
        return (device, id)
    }

    private func save(_ coins: Int, _ device: inout TestDevice<MemoryFiles, MemoryRecord>, _ id: ProfileID) throws {
        device.now += 1_000
        files.saveByRename(TestSave.bytes(coins: coins, level: 1), at: path)
        #expect(try device.engine.ingest(id, now: device.now) == .edited)
    }

    private func saves(_ coins: Int...) -> [[UInt8]] { coins.map { TestSave.bytes(coins: $0, level: 1) } }

    @Test func aSaveDoesNotWaitForItsBackup() throws {
        var (device, id) = try device()
        files.power.restart()
        try save(101, &device, id)
        #expect(!files.power.operations.contains { if case .keepBackup = $0 { true } else { false } })
        #expect(files.backupContents(of: id).isEmpty)
        #expect(
            device.engine.backupDeadline(id) == device.now.monotonic
                + ProfileEngine<MemoryFiles, MemoryRecord>.backupDelay)
        device.engine.makePendingBackups(id, now: device.now)
        #expect(files.backupContents(of: id) == saves(100))
        #expect(device.engine.backupDeadline(id) == nil)
        #expect(try record.notes(prefix: "pending-backup/").isEmpty)
    }

    @Test func aKillBeforeItLeavesItDue() throws {
        var (device, id) = try device()
        try save(101, &device, id)
        var next = try TestDevice(files, record, path: path, number: 1)
        _ = next.engine.recover(id, now: next.now)
        #expect(next.engine.backupDeadline(id) ?? .max <= device.now.monotonic)
        next.engine.makePendingBackups(id, now: next.now)
        #expect(files.backupContents(of: id) == saves(100))
        // The change's own time, whenever it was made.
        #expect(try next.engine.backups(id).map(\.note.time) == [device.now.wall])
    }

    /// Killed between the backup and the note that it is made: made twice, it is there once.
    @Test func aKillAfterItMakesNoSecondOne() throws {
        var (device, id) = try device()
        try save(101, &device, id)
        let before = record.copy
        device.engine.makePendingBackups(id, now: device.now)
        record.restore(before)
        var next = try TestDevice(files, record, path: path, number: 1)
        next.engine.makePendingBackups(id, now: next.now)
        #expect(files.backupContents(of: id) == saves(100))
        #expect(try next.engine.backups(id).map(\.note.pools) == [[.changes, .sessions]])
    }

    @Test func backupsComeInTheOrderOfTheChanges() throws {
        var (device, id) = try device()
        try save(101, &device, id)
        try save(102, &device, id)
        #expect(files.backupContents(of: id).isEmpty)
        // A save that holds less is kept at once, with what was before.
        device.now += 1_000
        files.saveByRename(TestSave.bytes(coins: 0, level: 0), at: path)
        #expect(try device.engine.ingest(id, now: device.now) == .questioned)
        #expect(files.backupContents(of: id) == saves(100, 101, 102) + [TestSave.bytes(coins: 0, level: 0)])
        #expect(device.engine.backupDeadline(id) == nil)
    }

    @Test func theDaysBackupComesAfterIt() throws {
        var (device, id) = try device()
        try save(101, &device, id)
        let day = try #require(LocalDay(year: 2026, month: 11, day: 21))
        #expect(try device.engine.dailyBackup(id, now: device.now, day: day))
        #expect(files.backupContents(of: id) == saves(100, 101))
    }

    /// The record lets an old snapshot go now and then: its backup is made before.
    @Test func noSnapshotLeavesTheRecordWithoutItsBackup() throws {
        var (device, id) = try device()
        for coins in 101...300 {
            try save(coins, &device, id)
            let stored = try #require(try record.load(id))
            let baseHistory = try #require(BaseHistory(stored.baseHistory))
            for (key, note) in try record.notes(prefix: "pending-backup/") {
                #expect(PendingBackup(key, note, baseHistory) != nil)
            }
        }
        device.engine.makePendingBackups(id, now: device.now)
        #expect(files.backupContents(of: id).suffix(5) == saves(295, 296, 297, 298, 299)[...])
    }

    /// Eight saves a second: each is out before the backup of the one before is due.
    @Test func savesThatFollowEachOtherFastWaitForNoBackup() throws {
        var (device, id) = try device()
        files.power.restart()
        for coins in 101...108 {
            device.now += 120
            files.saveByRename(TestSave.bytes(coins: coins, level: 1), at: path)
            #expect(try device.engine.ingest(id, now: device.now) == .edited)
        }
        #expect(!files.power.operations.contains { if case .keepBackup = $0 { true } else { false } })
        // One at a time, the oldest first.
        for count in 1...8 {
            let isMade = device.engine.makeOldestPendingBackup(id, now: device.now)
            #expect(isMade)
            #expect(files.backupContents(of: id).last == TestSave.bytes(coins: 99 + count, level: 1))
        }
        let isMade = device.engine.makeOldestPendingBackup(id, now: device.now)
        #expect(!isMade)
        #expect(try record.notes(prefix: "pending-backup/").isEmpty)
    }

    /// However many saves come, what waits is bounded; none is left out.
    @Test func noMoreBackupsWaitThanTheLimit() throws {
        var (device, id) = try device()
        for coins in 101...130 {
            try save(coins, &device, id)
            #expect(try record.notes(prefix: "pending-backup/").count <= Engine.pendingBackupLimit)
        }
        device.engine.makePendingBackups(id, now: device.now)
        #expect(files.backupContents(of: id) == saves(100, 125, 126, 127, 128, 129))
    }

    /// Stopped at any step of what makes several backups before another one: each is there once, in order.
    @Test func aKillBetweenSeveralLeavesNoneTwice() throws {
        var (device, id) = try device()
        for coins in 101...103 { try save(coins, &device, id) }
        let (disk, kept) = (files.disk, record.copy)
        let day = try #require(LocalDay(year: 2026, month: 11, day: 21))
        func start() throws -> (TestDevice<MemoryFiles, MemoryRecord>, MemoryFiles, MemoryRecord) {
            let files = MemoryFiles(disk)
            let record = MemoryRecord(power: files.power)
            record.restore(kept)
            return (try TestDevice(files, record, path: path, number: 1), files, record)
        }
        var (whole, files, _) = try start()
        files.power.restart()
        #expect(try whole.engine.dailyBackup(id, now: whole.now, day: day))
        for step in 1...files.power.operations.count {
            var (device, files, record) = try start()
            files.power.cut(before: step)
            _ = try? device.engine.dailyBackup(id, now: device.now, day: day)
            files.power.restart()
            var next = try TestDevice(files, record, path: path, number: 1)
            next.engine.makePendingBackups(id, now: next.now)
            _ = try next.engine.dailyBackup(id, now: next.now, day: day)
            #expect(files.backupContents(of: id) == saves(100, 101, 102, 103), "killed before step \(step)")
        }
    }

    /// The note of an earlier Hearth has the profile's own key.
    @Test func aNoteOfAnEarlierHearthIsRead() throws {
        var (device, id) = try device()
        try save(101, &device, id)
        let space = PendingBackup.notes
        let (key, note) = try #require(try record.notes(in: space).first)
        var change = NoteChange(space.key(id), note)
        change.delete(key)
        try record.commit(RecordChange(notes: change))
        var next = try TestDevice(files, record, path: path, number: 1)
        next.engine.makePendingBackups(id, now: next.now)
        #expect(files.backupContents(of: id) == saves(100))
        #expect(try record.notes(in: space).isEmpty)
    }

    private typealias Engine = ProfileEngine<MemoryFiles, MemoryRecord>

    @Test func aFileThatIsForgottenLeavesItsBackup() throws {
        var (device, id) = try device()
        try save(101, &device, id)
        try device.engine.unbind(id)
        #expect(files.backupContents(of: id) == saves(100))
        #expect(try record.notes(prefix: "pending-backup/").isEmpty)
    }

    /// What came from another device is written over what stood there; a crash in between leaves it pending.
    @Test func aMergeDoesNotWaitForTheBackupOfWhatItReplaces() throws {
        var (device, id) = try device()
        var other = try TestDevice(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        other.engine.files.saveByRename(TestSave.bytes(coins: 140, level: 2), at: other.path)
        try other.settle(id)
        try device.join(id, from: other)
        files.power.restart()
        let before = (files.disk, record.copy)
        #expect(device.project(id) == .written)
        let steps = files.power.operations.count
        #expect(!files.power.operations.contains { if case .keepBackup = $0 { true } else { false } })
        for step in 1...steps {
            let files = MemoryFiles(before.0, swapping: .exchange)
            let record = MemoryRecord(power: files.power)
            record.restore(before.1)
            var device = try TestDevice(files, record, path: path, number: 1)
            files.power.cut(before: step)
            _ = device.project(id)
            files.power.restart()
            var next = try TestDevice(files, record, path: path, number: 1)
            _ = next.engine.recover(id, now: next.now)
            try next.settle(id)
            #expect(files.backupContents(of: id) == saves(100), "killed before step \(step)")
            #expect(files.bytes(at: path) == TestSave.bytes(coins: 140, level: 2), "killed before step \(step)")
        }
    }
}
