import HouseholdSimulation
import MergeCore
import Synchronization
import Testing

@testable import ProfileKeeping

/// A start after a crash that left several projections half way: one sync of a folder, one transaction.
@Suite struct RecoverTogetherTests {
    private typealias MemoryEngine = ProfileEngine<MemoryFiles, MemoryRecord>

    private let now: Moment = 1_700_000_000_000

    /// Three profiles: the power went before the swap of the first, right after that of the second, and when the third was
    /// in place and the record did not know it yet.
    private func crashed() throws -> (MemoryFiles, MemoryRecord, [ProfileID]) {
        let files = MemoryFiles()
        let record = MemoryRecord(power: files.power)
        var engine = try MemoryEngine(files: files, store: record)
        var ids: [ProfileID] = []
        for number in 1...3 as ClosedRange<UInt64> {
            let path = "/a/\(number).json"
            files.saveByRename(TestSave.bytes(coins: 100, level: 1), at: path)
            let fresh = FreshIDs(profile: ProfileID(random: number, 1), replica: ReplicaID(high: number, low: 1))
            let rules = try TestDevice<MemoryFiles, MemoryRecord>.rules
            let id = try engine.add(file: path, name: "\(number)", rules: rules, ids: fresh, now: now)
            ids.append(id)
            let state = try #require(engine.profiles[id]?.state)
            var other = try TestDevice(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 10 + number)
            _ = try other.engine.join(
                id, atoms: state.delta(beyond: VersionVector()), from: VersionVector(), to: state.vector,
                freshReplica: ReplicaID(high: 20 + number, low: 1), now: now)
            try other.engine.bind(id, to: other.path, now: now)
            try other.settle(id)
            other.engine.files.saveByRename(TestSave.bytes(coins: 140, level: 5), at: other.path)
            try other.settle(id)
            let played = try #require(other.engine.profiles[id]?.state)
            _ = try engine.join(
                id, atoms: played.delta(beyond: state.vector), from: state.vector, to: played.vector,
                freshReplica: ReplicaID(high: 30 + number, low: 1), now: now)
        }
        for (index, id) in ids.enumerated() {
            files.power.setHook { operation throws(StorageFault) in
                switch operation {
                case .exchange where index == 0,
                    .syncFolder where index == 1 && files.bytes(at: "/a/2.json") == swapped:
                    throw StorageFault(.other, "the power goes")
                case .remove: throw StorageFault(.other, "the power goes")
                default: break
                }
            }
            _ = engine.project(id, tag: UInt64(index) + 1, now: now)
        }
        files.power.restart()
        return (files, record, ids)
    }

    private var swapped: [UInt8] { TestSave.bytes(coins: 140, level: 5) }

    private func check(_ files: MemoryFiles, _ record: MemoryRecord, _ ids: [ProfileID], _ comment: String) throws {
        var engine = try MemoryEngine(files: files, store: record)
        _ = engine.recover(now: now)
        for time in [now + 1, now + 10_000] {
            for (index, id) in ids.enumerated() {
                _ = try engine.ingest(id, now: time)
                _ = engine.project(id, tag: UInt64(index) + 100, now: time)
                try engine.clearDisplaced(id, now: time + 5_000)
            }
        }
        #expect(files.paths.filter { $0.hasPrefix("/a/") } == ["/a/1.json", "/a/2.json", "/a/3.json"], "\(comment)")
        for number in 1...3 { #expect(files.bytes(at: "/a/\(number).json") == swapped, "\(comment)") }
        for id in ids {
            #expect(files.backupContents(of: id) == [TestSave.bytes(coins: 100, level: 1)], "\(comment)")
            #expect(try record.load(id)?.intent == nil, "\(comment)")
            #expect(engine.profiles[id]?.trouble == nil, "\(comment)")
        }
    }

    @Test func whatIsDoneForAllBecomesDurableTogether() throws {
        let (files, record, ids) = try crashed()
        var engine = try MemoryEngine(files: files, store: record)
        files.power.restart()
        #expect(engine.recover(now: now) == ids)
        let steps = files.power.operations
        #expect(steps.filter { $0 == .commit }.count == 1, "\(steps)")
        #expect(steps.filter { if case .syncFolder = $0 { true } else { false } }.count == 1, "\(steps)")
        #expect(steps.last == .commit)
        try check(files, record, ids, "as it is")
    }

    @Test func killedBeforeEveryStepOfIt() throws {
        let (crashedFiles, crashedRecord, ids) = try crashed()
        for loses in [false, true] {
            for step in 1... {
                let files = MemoryFiles(crashedFiles.disk)
                let record = MemoryRecord(power: files.power)
                record.restore(crashedRecord.copy)
                var engine = try MemoryEngine(files: files, store: record)
                files.power.cut(before: step)
                _ = engine.recover(now: now)
                let isOff = files.power.isOff
                files.power.restart()
                if loses, isOff { files.loseUnsynced() }
                try check(files, record, ids, "killed before step \(step), unsynced \(loses ? "lost" : "kept")")
                guard isOff else { break }
            }
        }
    }

    /// What fails once is done one by one.
    @Test(arguments: [DiskOperation.commit, .syncFolder("/a")])
    func oneFailureHoldsUpNothing(_ failing: DiskOperation) throws {
        let (files, record, ids) = try crashed()
        var engine = try MemoryEngine(files: files, store: record)
        let hits = Mutex(0)
        files.power.setHook { operation throws(StorageFault) in
            guard operation == failing else { return }
            if hits.withLock({
                $0 += 1; return $0 == 1
            }) {
                throw StorageFault(.noSpace, "the disk is full")
            }
        }
        #expect(engine.recover(now: now) == ids)
        files.power.restart()
        #expect(hits.withLock { $0 } > 1)
        for id in ids {
            #expect(engine.profiles[id]?.file.intent == nil)
            #expect(engine.profiles[id]?.trouble == nil)
        }
        try check(files, record, ids, "\(failing)")
    }
}
