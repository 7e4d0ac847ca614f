import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import ProfileKeeping

/// A file is let go and bound again. What its game wrote meanwhile is play, as if the file had never been let go.
@Suite struct LeftFileTests {
    private typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    private let path = "/a/save.json"

    /// Two devices in step with 100 coins and level 1; the first one has let its file go.
    private func devices() throws -> (device: Device, other: Device, id: ProfileID) {
        let (files, others) = (MemoryFiles(), MemoryFiles())
        var other = try Device(others, MemoryRecord(power: others.power), path: "/b/save.json", number: 2)
        others.saveByRename(TestSave.bytes(coins: 100, level: 1), at: other.path)
        let id = try other.add()
        var device = try Device(files, MemoryRecord(power: files.power), path: path, number: 1)
        try device.restore(id, from: other)
        #expect(files.bytes(at: path) != nil)
        try device.engine.unbind(id)
        return (device, other, id)
    }

    private func play(_ device: Device, coins: Int, level: Int = 1) {
        device.engine.files.saveByRename(TestSave.bytes(coins: coins, level: level), at: device.path)
    }

    @Test(arguments: [false, true]) func playOnBothSidesCountsOnce(isRestarted: Bool) throws {
        var (device, other, id) = try devices()
        play(device, coins: 107)
        play(other, coins: 101)
        try other.settle(id)
        try device.join(id, from: other)
        if isRestarted { device = try Device(device.engine.files, device.engine.store, path: path, number: 1) }
        try device.engine.bind(id, to: path, now: device.now)
        try device.settle(id)
        try other.join(id, from: device)
        try other.settle(id)
        #expect(device.engine.files.bytes(at: path) == TestSave.bytes(coins: 108, level: 1))
        #expect(other.engine.files.bytes(at: other.path) == TestSave.bytes(coins: 108, level: 1))
    }

    @Test func aFileThatNobodyTouchedIsBroughtUpToDate() throws {
        var (device, other, id) = try devices()
        play(other, coins: 101, level: 3)
        try other.settle(id)
        try device.join(id, from: other)
        try device.engine.bind(id, to: path, now: device.now)
        try device.settle(id)
        let file = try #require(device.engine.files.bytes(at: path))
        #expect(try JSONValue(parsing: file) == JSONValue(parsing: TestSave.bytes(coins: 101, level: 3)))
    }

    /// A copy of the other machine's save, carried over by hand, is no play of this one.
    @Test func aCopyOfWhatIsKnownCountsNothing() throws {
        var (device, other, id) = try devices()
        play(other, coins: 107)
        try other.settle(id)
        try device.join(id, from: other)
        play(device, coins: 107)
        try device.engine.bind(id, to: path, now: device.now)
        try device.settle(id)
        #expect(device.engine.files.bytes(at: path) == TestSave.bytes(coins: 107, level: 1))
    }

    /// What is at another path may be a copy of anything: a counter gets the larger amount and no more.
    @Test func anotherPathIsMergedAsACopy() throws {
        var (device, other, id) = try devices()
        play(other, coins: 101)
        try other.settle(id)
        try device.join(id, from: other)
        device.engine.files.saveByRename(TestSave.bytes(coins: 107, level: 1), at: "/a/other.json")
        try device.engine.bind(id, to: "/a/other.json", now: device.now)
        try device.settle(id)
        #expect(device.engine.files.bytes(at: "/a/other.json") == TestSave.bytes(coins: 107, level: 1))
    }

    @Test func playThatIsKnownIsNotCalledPlayedApart() throws {
        var (device, _, id) = try devices()
        play(device, coins: 107)
        #expect(try device.engine.preview(of: id, joining: path, now: device.now) == JoinPreview())
        #expect(throws: AdoptFault.self) {
            try device.engine.bind(id, to: path, isApart: true, now: device.now)
        }
        #expect(device.engine.profiles[id]?.file.path == nil)
    }

    @Test(arguments: [true, false]) func nothingIsNotedOfAForgottenSave(isBound: Bool) throws {
        var (device, _, id) = try devices()
        if isBound { try device.engine.bind(id, to: path, now: device.now) }
        try device.engine.forget(id, now: device.now)
        #expect(try LeftFile(of: id, in: device.engine.store) == nil)
    }

    /// A record that was put back knows less of the file than the household does.
    @Test func aRecordThatWasPutBackForgetsWhatWasLeft() throws {
        var (device, _, id) = try devices()
        #expect(try LeftFile(of: id, in: device.engine.store) != nil)
        try device.engine.recordRolledBack(id, freshReplica: ReplicaID(high: 9, low: 9))
        #expect(try LeftFile(of: id, in: device.engine.store) == nil)
    }

    /// A note that cannot be read is none: the file is merged as a copy, and nothing counts twice.
    @Test func aDamagedNoteIsNone() throws {
        var (device, other, id) = try devices()
        play(other, coins: 101)
        try other.settle(id)
        try device.join(id, from: other)
        let note = NoteSpace("left-file").key(id, "projected-vector")
        #expect(try device.engine.store.notes(prefix: note)[note] != nil)
        try device.engine.store.commit(RecordChange(notes: NoteChange(note, [255])))
        play(device, coins: 107)
        try device.engine.bind(id, to: path, now: device.now)
        try device.settle(id)
        #expect(device.engine.files.bytes(at: path) == TestSave.bytes(coins: 107, level: 1))
    }

    /// The game was installed anew: its fresh save takes nothing from the household.
    @Test func aFreshSaveTakesNothingAway() throws {
        var (device, other, id) = try devices()
        play(other, coins: 150, level: 4)
        try other.settle(id)
        try device.join(id, from: other)
        play(device, coins: 5)
        try device.engine.bind(id, to: path, now: device.now)
        try device.settle(id)
        #expect(device.engine.files.bytes(at: path) == TestSave.bytes(coins: 150, level: 4))
    }

    /// Another machine's save was carried over by hand, and played on: what it holds already counts once.
    @Test func aCopyThatWasPlayedOnCountsOnce() throws {
        var (device, other, id) = try devices()
        play(other, coins: 150, level: 4)
        try other.settle(id)
        try device.join(id, from: other)
        play(device, coins: 155, level: 4)
        try device.engine.bind(id, to: path, now: device.now)
        try device.settle(id)
        #expect(device.engine.files.bytes(at: path) == TestSave.bytes(coins: 155, level: 4))
    }
}
