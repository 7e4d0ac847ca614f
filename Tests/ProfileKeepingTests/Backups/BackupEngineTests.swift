import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import ProfileKeeping

/// Backups as the engine makes, lists and reads them.
@Suite struct BackupEngineTests {
    private func device() throws -> (TestDevice<MemoryFiles, MemoryRecord>, ProfileID) {
        let files = MemoryFiles()
        files.saveByRename(TestSave.bytes(coins: 100, level: 1), at: "/a/save.json")
        var device = try TestDevice(files, MemoryRecord(), path: "/a/save.json", number: 1)
        let id = try device.add()
        return (device, id)
    }

    private func day(_ day: Int) throws -> LocalDay { try #require(LocalDay(year: 2026, month: 11, day: day)) }

    /// One save per move: the states before the last five, and the one before the session.
    @Test func everySaveIsPrecededByABackupOfWhatWasThere() throws {
        var (device, id) = try device()
        device.now = device.now + BackupPlan.quietTime
        for coins in 101...110 {
            device.now += 1_000
            device.engine.files.saveByRename(TestSave.bytes(coins: coins, level: 1), at: device.path)
            #expect(try device.engine.ingest(id, now: device.now) == .edited)
            #expect(try device.engine.ingest(id, now: device.now) == .unchanged)
        }
        device.engine.makePendingBackups(id, now: device.now)
        #expect(
            device.engine.files.backupContents(of: id)
                == ([100] + (105...109)).map { TestSave.bytes(coins: $0, level: 1) }
        )
        #expect(
            try device.engine.backups(id).map(\.note.pools) == [[.changes, .sessions]]
                + [BackupPools](repeating: .changes, count: 5)
        )
    }

    /// It stays pending, and comes before the next.
    @Test func aSaveIsTakenUpThoughNoBackupCanBeMadeAndThatIsSaid() throws {
        var (device, id) = try device()
        device.engine.files.power.setHook { operation throws(StorageFault) in
            if case .keepBackup = operation { throw StorageFault(.noSpace, "the backup disk is full; free some space") }
        }
        device.engine.files.saveByRename(TestSave.bytes(coins: 105, level: 1), at: device.path)
        #expect(try device.engine.ingest(id, now: device.now) == .edited)
        #expect(device.project(id) == .nothingToDo)
        device.engine.makePendingBackups(id, now: device.now)
        #expect(device.engine.profiles[id]?.backupTrouble == "the backup disk is full; free some space")
        #expect(device.engine.backupDeadline(id) == device.now.monotonic + .seconds(30))
        device.engine.files.power.setHook(nil)
        device.engine.files.saveByRename(TestSave.bytes(coins: 106, level: 1), at: device.path)
        #expect(try device.engine.ingest(id, now: device.now) == .edited)
        #expect(device.engine.profiles[id]?.backupTrouble == nil)
        device.engine.makePendingBackups(id, now: device.now)
        #expect(device.engine.files.backupContents(of: id) == [100, 105].map { TestSave.bytes(coins: $0, level: 1) })
    }

    @Test func theDayIsBackedUpOnceWithTheLastGoodSave() throws {
        var (device, id) = try device()
        #expect(try device.engine.dailyBackup(id, now: 1, day: day(21)))
        #expect(try !device.engine.dailyBackup(id, now: 2, day: day(21)))
        device.engine.files.saveByRename(Array("{".utf8), at: device.path)
        #expect(try device.engine.ingest(id, now: device.now) == .unusable)
        #expect(try device.engine.dailyBackup(id, now: 3, day: day(22)))
        let stored = try device.engine.backups(id)
        #expect(
            stored.map(\.note) == [
                BackupNote(time: 1, pools: .daily, day: try day(21)),
                BackupNote(time: 3, pools: .daily, day: try day(22)),
            ]
        )
        #expect(device.engine.readBackup(id, stored[1].name) == .document(TestSave.bytes(coins: 100, level: 1)))
        // One that has no file here has nothing to back up.
        try device.engine.unbind(id)
        #expect(try !device.engine.dailyBackup(id, now: 4, day: day(23)))
    }

    @Test func aDamagedBackupIsNamedAndTheNextIsOffered() throws {
        let (device, id) = try device()
        let (engine, files) = (device.engine, device.engine.files)
        for coins in 1...5 {
            try engine.keepBackup(
                TestSave.bytes(coins: coins, level: 1), of: id, now: WallTime(milliseconds: Int64(coins)))
        }
        let names = try engine.backups(id).map(\.name)
        files.damageBackup(names[2], of: id)
        files.damageBackup(names[1], of: id)
        let stored = try engine.backups(id)
        #expect(stored.map { $0.condition == .good } == [true, false, false, true, true])
        guard case .unusable(let fault, let next) = engine.readBackup(id, names[2]) else {
            Issue.record("it was read")
            return
        }
        #expect(fault.reason == .damaged)
        #expect(fault.message.contains(names[2]))
        // The newest good one that was made before it; with none before, the one made next.
        #expect(next == names[0])
        files.damageBackup(names[0], of: id)
        #expect(engine.readBackup(id, names[1]).next == names[3])
        files.damageBackup(names[3], of: id)
        files.damageBackup(names[4], of: id)
        #expect(engine.readBackup(id, names[4]).next == nil)
        guard case .unusable(let missing, _) = engine.readBackup(id, "0000000099.backup") else {
            Issue.record("it was read")
            return
        }
        #expect(missing.message.contains("0000000099.backup"))
    }

    @Test func whatIsNoDocumentIsDamaged() throws {
        let (device, id) = try device()
        try device.engine.keepBackup(Array("{\"a\":".utf8), of: id, now: 1)
        let stored = try device.engine.backups(id)
        guard case .damaged(let message) = stored.first?.condition else {
            Issue.record("\(stored)")
            return
        }
        #expect(message.contains(stored[0].name))
        #expect(try device.engine.backups(id, checking: false).map(\.condition) == [.good])
    }

    @Test func aPinnedBackupStays() throws {
        let (device, id) = try device()
        let engine = device.engine
        try engine.keepBackup([UInt8(ascii: "0")], of: id, now: 1)
        let name = try #require(try engine.backups(id).first?.name)
        try engine.pinBackup(id, name, true)
        try engine.pinBackup(id, name, true)
        for number in 1...9 { try engine.keepBackup([UInt8(ascii: "0") + UInt8(number)], of: id, now: 2) }
        #expect(try engine.backups(id).map(\.note.isPinned) == [true, false, false, false, false, false])
        try engine.pinBackup(id, name, false)
        // It goes on counting as the session's.
        try engine.keepBackup(Array("10".utf8), of: id, now: 2)
        #expect(try engine.backups(id).first?.name == name)
        #expect(throws: StorageFault.self) { try engine.pinBackup(id, "0000000099.backup", true) }
    }

    /// What is stated in ``ProfileEngine``: step 3 of a projection. What is replaced is in the record until its backup
    /// is made; while that cannot be, the file is not replaced a second time, the player is told, and it is tried
    /// again.
    @Test func withoutItsBackupASaveThatWasReplacedIsNotReplacedAgainAndItIsSaid() throws {
        var (device, id) = try device()
        var other = try TestDevice(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        let power = device.engine.files.power
        power.setHook { operation throws(StorageFault) in
            if case .keepBackup = operation { throw StorageFault(.noSpace, "the backup disk is full; free some space") }
        }
        other.engine.files.saveByRename(TestSave.bytes(coins: 140, level: 2), at: other.path)
        try other.settle(id)
        try device.join(id, from: other)
        #expect(device.project(id) == .written)
        device.engine.makePendingBackups(id, now: device.now)
        #expect(device.engine.profiles[id]?.backupTrouble == "the backup disk is full; free some space")
        other.engine.files.saveByRename(TestSave.bytes(coins: 150, level: 3), at: other.path)
        try other.settle(id)
        try device.join(id, from: other)
        #expect(device.project(id) == .postponed)
        #expect(device.engine.profiles[id]?.trouble == "the backup disk is full; free some space")
        #expect(device.engine.files.bytes(at: device.path) == TestSave.bytes(coins: 140, level: 2))
        #expect(throws: StorageFault.self) { try device.engine.dailyBackup(id, now: 1, day: day(21)) }
        // What the game saves meanwhile is taken up all the same.
        device.engine.files.saveByRename(TestSave.bytes(coins: 145, level: 2), at: device.path)
        #expect(try device.engine.ingest(id, now: device.now) == .edited)
        power.setHook(nil)
        try device.settle(id)
        #expect(device.engine.profiles[id]?.trouble == nil)
        #expect(device.engine.profiles[id]?.backupTrouble == nil)
        #expect(device.engine.files.bytes(at: device.path) == TestSave.bytes(coins: 155, level: 3))
        #expect(
            device.engine.files.backupContents(of: id) == [
                TestSave.bytes(coins: 100, level: 1), TestSave.bytes(coins: 140, level: 2),
                TestSave.bytes(coins: 145, level: 2),
            ])
    }

    @Test func aRegressedSaveIsKeptBesideWhatStoodBefore() throws {
        var (device, id) = try device()
        device.engine.files.saveByRename(TestSave.bytes(coins: 100, level: 9), at: device.path)
        #expect(try device.engine.ingest(id, now: device.now) == .edited)
        device.now = device.now + BackupPlan.quietTime
        device.engine.files.saveByRename(TestSave.bytes(coins: 1, level: 1), at: device.path)
        #expect(try device.engine.ingest(id, now: device.now) == .questioned)
        let kept = device.engine.files.backupContents(of: id)
        #expect(kept.suffix(2) == [TestSave.bytes(coins: 100, level: 9), TestSave.bytes(coins: 1, level: 1)])
        #expect(try device.engine.backups(id).suffix(2).map(\.note.pools) == [[.changes, .sessions], .changes])
    }
}

extension BackupReading {
    fileprivate var next: String? {
        guard case .unusable(_, let next) = self else { return nil }
        return next
    }
}
