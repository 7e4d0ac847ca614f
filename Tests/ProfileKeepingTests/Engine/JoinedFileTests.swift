import HouseholdSimulation
import MergeCore
import Testing

@testable import ProfileKeeping

/// What came from another device is joined, and written into the file in one go.
@Suite struct JoinedFileTests {
    private typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    private let path = "/a/save.json"

    /// Two devices with one profile; the other one has played, of which the first does not know yet.
    private func devices() throws -> (device: Device, other: Device, id: ProfileID) {
        let (files, others) = (MemoryFiles(), MemoryFiles())
        files.saveByRename(TestSave.bytes(coins: 100, level: 1), at: path)
        var device = try Device(files, MemoryRecord(power: files.power), path: path, number: 1)
        let id = try device.add()
        var other = try Device(others, MemoryRecord(power: others.power), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        others.saveByRename(TestSave.bytes(coins: 140, level: 2), at: other.path)
        try other.settle(id)
        try device.settle(id)
        return (device, other, id)
    }

    @Test func oneTransactionHoldsWhatCameAndTheIntentToWriteIt() throws {
        var (device, other, id) = try devices()
        let files = device.engine.files
        files.power.restart()
        #expect(try device.joinAndWrite(id, from: other) == .written)
        #expect(files.bytes(at: path) == TestSave.bytes(coins: 140, level: 2))
        let commits = files.power.operations.filter { if case .commit = $0 { true } else { false } }
        #expect(commits.count == 1)
        // Nothing is left to be done.
        #expect(device.project(id) == .nothingToDo)
        try device.settle(id)
        #expect(files.backupContents(of: id) == [TestSave.bytes(coins: 100, level: 1)])
    }

    /// Stopped before each step, the next start and the other device's next word come to the same.
    @Test(arguments: MemoryFiles.Swapping.allCases) func aKillAtAnyStepLosesNothing(_ swapping: MemoryFiles.Swapping)
        throws
    {
        let (first, other, id) = try devices()
        let (disk, kept) = (first.engine.files.disk, first.engine.store.copy)
        func start() throws -> (Device, MemoryFiles, MemoryRecord) {
            let files = MemoryFiles(disk, swapping: swapping)
            let record = MemoryRecord(power: files.power)
            record.restore(kept)
            return (try Device(files, record, path: path, number: 1), files, record)
        }
        var (whole, files, _) = try start()
        files.power.restart()
        #expect(try whole.joinAndWrite(id, from: other) == .written)
        let steps = files.power.operations.count
        #expect(steps > 4)
        for step in 1...steps {
            var (device, files, record) = try start()
            files.power.cut(before: step)
            _ = try? device.joinAndWrite(id, from: other)
            files.power.restart()
            var next = try Device(files, record, path: path, number: 1)
            _ = next.engine.recover(id, now: next.now)
            try next.settle(id)
            try next.join(id, from: other)
            try next.settle(id)
            #expect(files.bytes(at: path) == TestSave.bytes(coins: 140, level: 2), "killed before step \(step)")
            #expect(
                files.backupContents(of: id) == [TestSave.bytes(coins: 100, level: 1)], "killed before step \(step)")
        }
    }

    /// A game that saves right before the swap: its save is read next, and counts beside what came.
    @Test func aGameThatSavesMeanwhileIsReadFirst() throws {
        var (device, other, id) = try devices()
        let files = device.engine.files
        files.power.setHook { [path] operation throws(StorageFault) in
            if case .create = operation { files.saveByRename(TestSave.bytes(coins: 107, level: 1), at: path) }
        }
        #expect(try device.joinAndWrite(id, from: other) == .fileChanged)
        files.power.setHook(nil)
        try device.settle(id)
        #expect(files.bytes(at: path) == TestSave.bytes(coins: 147, level: 2))
    }

    /// A file that does not hold what was seen last is left to the next look.
    @Test func aFileThatChangedBeforeIsNotWritten() throws {
        var (device, other, id) = try devices()
        let files = device.engine.files
        files.saveByRename(TestSave.bytes(coins: 107, level: 1), at: path)
        #expect(try device.joinAndWrite(id, from: other) == nil)
        #expect(files.bytes(at: path) == TestSave.bytes(coins: 107, level: 1))
        try device.settle(id)
        #expect(files.bytes(at: path) == TestSave.bytes(coins: 147, level: 2))
    }

    /// A disk that is full for the new file keeps nothing from being joined.
    @Test func whatCameIsKeptThoughTheFileCannotBeWritten() throws {
        var (device, other, id) = try devices()
        let files = device.engine.files
        files.power.setHook { operation throws(StorageFault) in
            if case .create = operation { throw StorageFault(.noSpace, "the disk is full") }
        }
        #expect(try device.joinAndWrite(id, from: other) == .postponed)
        #expect(device.engine.profiles[id]?.trouble == "the disk is full")
        files.power.setHook(nil)
        let kept = try #require(device.engine.profiles[id]?.state.vector)
        #expect(kept.covers(try #require(other.engine.profiles[id]?.state.vector)))
        try device.settle(id)
        #expect(files.bytes(at: path) == TestSave.bytes(coins: 140, level: 2))
    }
}
