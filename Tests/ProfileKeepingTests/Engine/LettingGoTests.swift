import HouseholdSimulation
import LosslessJSON
import MergeCore
import Synchronization
import TestSupport
import Testing

@testable import ProfileKeeping

/// States and base histories are let go, and read again from the record when they are needed.
@Suite struct LettingGoTests {
    private let path = "/saves/player.json"

    private typealias Device = TestDevice<MemoryFiles, WatchedRecord>

    private func device(_ record: WatchedRecord, _ files: MemoryFiles) throws -> Device {
        var device = try Device(files, record, path: path, number: 1)
        device.engine.loadedLimit = 0
        return device
    }

    /// A device that keeps a save of 100 coins.
    private func keeping() throws -> (record: WatchedRecord, files: MemoryFiles, device: Device, id: ProfileID) {
        let (record, files) = (WatchedRecord(), MemoryFiles())
        put(100, files)
        var device = try device(record, files)
        let id = try device.add()
        try device.settle(id)
        return (record, files, device, id)
    }

    private func put(_ coins: Int, level: Int = 1, _ files: MemoryFiles) {
        files.saveByRename(TestSave.bytes(coins: coins, level: level), at: path)
    }

    @Test func whatWasLetGoIsReadAgainAsItWas() throws {
        let (_, files, kept, id) = try keeping()
        var device = kept
        var dice = SeededRandom(seed: 5)
        for round in 1...40 {
            put(Int.random(in: 0...500, using: &dice), level: round, files)
            try device.settle(id)
            let before = try #require(device.engine.profiles[id])
            let faults = device.engine.letGo()
            let after = try #require(device.engine.profiles[id])
            #expect(faults.isEmpty && after.keptState.outline != nil)
            #expect(after.state.sortedAtoms == before.state.sortedAtoms && after.state.vector == before.state.vector)
            #expect(after.vector == before.state.vector && after.name == "test" && after.rules == before.state.rules)
            #expect(after.baseHistory.rowsForRecord == before.baseHistory.rowsForRecord)
            #expect(after.merged?.bytes == before.merged?.bytes)
        }
    }

    /// What the record of a quiet profile sends to a new device is what the state would send.
    @Test(arguments: [nil, "/lap"]) func aNewDeviceIsSentAllThatTheRecordHolds(versionAt: String?) throws {
        let (record, files) = (WatchedRecord(), MemoryFiles())
        put(100, files)
        var device = try device(record, files)
        let rules = try RuleSet(Device.rules.entries, version: versionAt.map { _ in "1.50" }, versionAt: versionAt)
        let ids = FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: 1, low: 1))
        let id = try device.engine.add(file: path, name: "test", rules: rules, ids: ids, now: device.now)
        try device.settle(id)
        var dice = SeededRandom(seed: 6)
        for round in 1...20 {
            put(Int.random(in: 0...500, using: &dice), level: round, files)
            try device.settle(id)
            if round == 10 { try device.engine.reset(id, .everything, now: device.now) }
            let state = try #require(device.engine.profiles[id]).state
            device.engine.letGo()
            let all = try #require(device.engine.delta(of: id, beyond: VersionVector()))
            #expect(all.vector == state.vector)
            // Atoms of one write are in any order.
            #expect(Set(all.atoms) == Set(state.delta(beyond: VersionVector())))
            #expect(all.atoms.count == state.atomCount)
            let quiet = try #require(device.engine.profiles[id])
            #expect(quiet.keptState.isRead == (versionAt != nil), "no state is built where none is needed")
            let known = VersionVector([ids.replica: VersionVector.Entry(sequence: 3, history: 0)])
            let rest = try #require(device.engine.delta(of: id, beyond: known))
            #expect(rest.atoms == state.delta(beyond: known) && rest.atoms.count < all.atoms.count)
        }
    }

    @Test func whatCannotBeReadIsNotSent() throws {
        let (record, _, kept, id) = try keeping()
        var device = kept
        device.engine.letGo()
        record.fail(.state)
        let nothing = try #require(device.engine.delta(of: id, beyond: VersionVector()))
        #expect(nothing.atoms.isEmpty && nothing.vector.entries.isEmpty)
        #expect(device.engine.delta(of: ProfileID(random: 8, 9), beyond: VersionVector()) == nil)
    }

    @Test func aQuietProfileIsInTheRecordOnly() throws {
        let (record, _, kept, id) = try keeping()
        var device = kept
        device.engine.letGo()
        let profile = try #require(device.engine.profiles[id])
        #expect(!profile.keptHistory.isInMemory && !profile.keptState.isRead && !profile.keptHistory.isRead)
        record.reset()
        // What is asked about every profile reads nothing.
        #expect(!device.engine.wantsProjection(id) && profile.name == "test" && !profile.isForgotten)
        #expect(profile.isNewest(TestSave.bytes(coins: 100, level: 1)))
        #expect(!profile.isNewest(TestSave.bytes(coins: 101, level: 1)))
        #expect(profile.openChoices == 0 && profile.hasRoomForEpoch && device.engine.profiles.isOffered(id))
        #expect(record.loads.isEmpty)
    }

    @Test func aProfileThatCannotBeReadIsHeldAlone() throws {
        let (record, files, kept, id) = try keeping()
        var device = kept
        device.engine.letGo()
        let former = record.record.copy
        for part in [StoredPart.state, .snapshots] {
            record.fail(part)
            put(150, files)
            #expect(throws: StorageFault.self) { try device.engine.ingest(id, now: device.now) }
            #expect(device.project(id) != .written)
            #expect(throws: StorageFault.self) { try device.engine.rename(id, to: "another", now: device.now) }
            #expect(device.engine.readable(id) == nil || part == .snapshots)
            #expect(device.engine.letGo().map(\.fault.message) == ["the disk is broken"])
            #expect(device.engine.letGo().isEmpty, "it is said once")
            let held = try #require(device.engine.profiles[id])
            #expect(held.trouble == "the disk is broken" && held.name == "test" && held.file.path == path)
            #expect(files.bytes(at: path) == TestSave.bytes(coins: 150, level: 1))
            #expect(record.record.copy == former, "nothing of it was changed")
            // As soon as it can be read, the save counts, and counts once.
            record.fail(nil)
            put(100, files)
            _ = try device.engine.ingest(id, now: device.now)
            device.engine.letGo()
        }
        put(150, files)
        try device.settle(id)
        device.engine.letGo()
        let mended = try #require(device.engine.profiles[id])
        #expect(mended.trouble == nil)
        #expect(mended.merged.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("150") == true)
    }

    @Test func aRecordThatDoesNotFitTogetherHoldsItsProfileAndNoOther() throws {
        let (record, files, _, id) = try keeping()
        var change = RecordChange.ProfileChange(id)
        change.baseHistory = [
            BaseHistoryRow(
                number: 1_000, kind: .game, vector: VersionVector(),
                byteDiff: ByteDiff(prefix: 1_000_000, suffix: 0, middle: []))
        ]
        try record.commit(RecordChange(change))
        var device = try device(record, files)
        _ = device.engine.recover(now: device.now)
        put(150, files)
        #expect(throws: StorageFault.self) { try device.engine.ingest(id, now: device.now) }
        device.engine.letGo()
        #expect(device.engine.profiles[id]?.trouble?.contains("restore the record from a backup") == true)
        let other = "/saves/other.json"
        files.saveByRename(TestSave.bytes(coins: 1, level: 1), at: other)
        let ids = FreshIDs(profile: ProfileID(random: 7, 8), replica: ReplicaID(high: 1, low: 9))
        let added = try device.engine.add(file: other, name: "other", rules: RuleSet.empty, ids: ids, now: device.now)
        #expect(device.engine.profiles[added]?.trouble == nil)
    }

    @Test func afterAStartAFileThatShowsItsStateIsNotParsed() throws {
        let (record, files, kept, id) = try keeping()
        var first = kept
        first.engine.letGo()
        try first.engine.noteShown([id])
        var device = try device(record, files)
        _ = device.engine.recover(now: device.now)
        record.reset()
        #expect(try device.engine.ingest(id, now: device.now) == .unchanged)
        #expect(!device.engine.wantsProjection(id) && device.engine.profiles[id]?.openChoices == 0)
        #expect(record.loads == [.snapshots])
        // Whatever is stored ends that. A start that finds no mark compares everything.
        put(170, files)
        try device.settle(id)
        device.engine.letGo()
        var last = try self.device(record, files)
        _ = last.engine.recover(now: last.now)
        _ = try last.engine.ingest(id, now: last.now)
        #expect(last.engine.wantsProjection(id))
    }

    /// What a start asks about every file that was not looked at yet. All base histories together may be large.
    @Test func whetherAFileIsBehindReadsNothingBeforeItIsLookedAt() throws {
        let (record, files, _, id) = try keeping()
        var device = try device(record, files)
        record.reset()
        #expect(device.engine.recover(now: device.now).isEmpty)
        #expect(!device.engine.fileLags(id, whereUnknown: false) && device.engine.fileLags(id, whereUnknown: true))
        #expect(record.loads.isEmpty)
        // A file that never was written is behind, whatever a look at it would find.
        var change = RecordChange.ProfileChange(id)
        change.baseHistoryFrom = .max
        try record.commit(RecordChange(change))
        device = try self.device(record, files)
        record.reset()
        #expect(device.engine.fileLags(id, whereUnknown: false) && record.loads.isEmpty)
    }

    /// The number of the newest step is read when the next one is stored.
    @Test func theHistoryGoesOnAfterAStart() throws {
        let (record, files, kept, id) = try keeping()
        let before = try kept.engine.history(id, limit: 9).map(\.number)
        var device = try device(record, files)
        #expect(device.engine.historyNumber(id) == before.first)
        _ = device.engine.recover(now: device.now)
        put(150, files)
        try device.settle(id)
        let after = try device.engine.history(id, limit: 9).map(\.number)
        #expect(after == [(before.first ?? 0) + 1] + before && device.engine.historyNumber(id) == after.first)
    }

    @Test func aMarkIsOfOneSnapshotAndOneVector() throws {
        var history = BaseHistory()
        _ = history.appendGame([1, 2, 3], vector: VersionVector())
        let outline = try #require(SnapshotOutline(history))
        var vector = VersionVector()
        vector.advance(ReplicaID(high: 1, low: 1), to: .init(sequence: 4, history: 9))
        let mark = ShownMark(outline, vector, openChoices: 2)
        #expect(ShownMark(mark.note) == mark && mark.isOf(outline, vector) && mark.openChoices(at: vector) == 2)
        var other = vector
        other.advance(ReplicaID(high: 1, low: 1), to: .init(sequence: 5, history: 9))
        #expect(!mark.isOf(outline, other) && mark.openChoices(at: other) == nil)
        _ = history.appendGame([1, 2, 4], vector: VersionVector())
        #expect(!mark.isOf(try #require(SnapshotOutline(history)), vector))
        #expect(ShownMark(Array(mark.note.dropLast())) == nil && ShownMark([UInt8](repeating: 0xFF, count: 32)) == nil)
        // An older Hearth may have counted other choices as open.
        let older = [0, 0, 0, 0, 0, 0, 0, 1] + mark.note.dropFirst(8)
        #expect(ShownMark(Array(older)) == nil)
    }
}

/// A record that notes what is read of it, and fails to read a part when it is told to.
private final class WatchedRecord: ProfileKeeping.Record {
    let record = MemoryRecord()
    private let state = Mutex<(loads: [StoredPart], failing: StoredPart?)>(([], nil))

    var loads: [StoredPart] { state.withLock { $0.loads } }

    func reset() { state.withLock { $0.loads = [] } }

    func fail(_ part: StoredPart?) { state.withLock { $0.failing = part } }

    func profiles() throws(StorageFault) -> [ProfileID] { try record.profiles() }

    func load(_ profile: ProfileID) throws(StorageFault) -> StoredProfile? { try record.load(profile) }

    func load(_ profile: ProfileID, _ part: StoredPart) throws(StorageFault) -> StoredProfile? {
        let fails = state.withLock { state in
            state.loads.append(part)
            return state.failing == part
        }
        if fails { throw StorageFault(.record, "the disk is broken") }
        return try record.load(profile, part)
    }

    func history(_ profile: ProfileID, below number: Int64, limit: Int) throws(StorageFault) -> [HistoryRow] {
        try record.history(profile, below: number, limit: limit)
    }

    func notes(prefix: String) throws(StorageFault) -> [String: [UInt8]] { try record.notes(prefix: prefix) }

    func commit(_ change: RecordChange) throws(StorageFault) { try record.commit(change) }
}
