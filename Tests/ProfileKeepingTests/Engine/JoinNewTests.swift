import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import ProfileKeeping

/// Profiles that are new here are joined in one transaction.
@Suite struct JoinNewTests {
    private typealias Engine = ProfileEngine<MemoryFiles, MemoryRecord>

    private let now: Moment = 1_700_000_000_000

    /// An engine that keeps three saves.
    private func sender() throws -> Engine {
        let files = MemoryFiles()
        var engine = try Engine(files: files, store: MemoryRecord())
        for number in 1...3 as ClosedRange<UInt64> {
            let path = "/a/\(number).json"
            files.saveByRename(TestSave.bytes(coins: Int(number), level: 1), at: path)
            let ids = FreshIDs(profile: ProfileID(random: number, 2), replica: ReplicaID(high: 1, low: number))
            _ = try engine.add(
                file: path, name: "save \(number)", rules: TestDevice<MemoryFiles, MemoryRecord>.rules, ids: ids,
                now: now)
        }
        return engine
    }

    private func receiver(_ record: MemoryRecord) throws -> Engine {
        try Engine(files: MemoryFiles(power: record.power), store: record)
    }

    private func joinNew(_ id: ProfileID, of sender: Engine, in engine: inout Engine) throws -> Bool {
        let theirs = try #require(sender.profiles[id])
        return engine.joinNew(
            id, atoms: theirs.state.delta(beyond: VersionVector()), from: VersionVector(), to: theirs.vector,
            sender: theirs.vector, freshReplica: ReplicaID(high: 2, low: 1), notes: NoteChange("note-\(id)", [1]),
            overfull: { _, _ in [] }, now: now)
    }

    @Test func oneTransactionHoldsAllOfThem() throws {
        let (sender, record) = (try sender(), MemoryRecord())
        var engine = try receiver(record)
        engine.beginNew()
        for id in sender.ids { #expect(try joinNew(id, of: sender, in: &engine)) }
        #expect(record.power.operations == [])
        try engine.commitNew()
        #expect(record.power.operations == [.commit])
        #expect(try record.notes(prefix: "note-").count == 3)
        for engine in [engine, try receiver(record)] {
            #expect(engine.ids == sender.ids)
            for id in sender.ids {
                let (ours, theirs) = (try #require(engine.profiles[id]), try #require(sender.profiles[id]))
                #expect(ours.vector == theirs.vector && ours.name == theirs.name)
                let everything = VersionVector()
                #expect(Set(ours.state.delta(beyond: everything)) == Set(theirs.state.delta(beyond: everything)))
                #expect(engine.profiles[id]?.replica == ReplicaID(high: 2, low: 1))
            }
        }
    }

    /// It is not worked out before somebody asks, and nothing that happens later changes it.
    @Test func theFirstStepSaysWithWhatASaveCame() throws {
        var sender = try sender()
        let record = MemoryRecord()
        var engine = try receiver(record)
        let selector = PathSelector(places: [DocumentPath([.member("coins")])])
        try sender.reset(sender.ids[2], PathSelector(places: [DocumentPath([.member("level")])]), now: now)
        #expect(try joined(sender.ids, of: sender, in: &engine))
        for id in sender.ids {
            let (row, theirs) = (try #require(try record.history(id, below: .max, limit: 9).first), sender.profiles[id])
            #expect(row.changes == [])
            let atoms = try #require(theirs).state.delta(beyond: VersionVector())
            let expected = try #require(theirs).state.history(
                since: ProfileState(), touching: atoms.map(\.key), at: now.wall, as: .adopt)
            #expect(!expected.changes.isEmpty)
            func expectFirst(_ engine: Engine, of count: Int64) throws {
                #expect(try engine.historyStep(id, nil)?.number == count)
                let first = try #require(try engine.historyStep(id, 1))
                #expect(first.entry == expected && first.writer == theirs?.replica)
            }
            try expectFirst(engine, of: 1)
            try engine.reset(id, selector, now: now)
            try expectFirst(engine, of: 2)
            try engine.changeRules(id, to: .empty, now: now)
            try engine.rename(id, to: "other", now: now)
            for engine in [engine, try receiver(record)] {
                let newest = try #require(try engine.historyStep(id, nil))
                try expectFirst(engine, of: newest.number)
            }
        }
    }

    @Test func aSaveThatShowsNothingHasNoStep() throws {
        let (sender, record) = (try sender(), MemoryRecord())
        var engine = try receiver(record)
        let id = sender.ids[0]
        let theirs = try #require(sender.profiles[id])
        let notes = theirs.state.delta(beyond: VersionVector()).filter(\.key.path.isReserved)
        #expect(!notes.isEmpty)
        engine.beginNew()
        let isJoined = engine.joinNew(
            id, atoms: notes, from: VersionVector(), to: theirs.vector, sender: theirs.vector,
            freshReplica: ReplicaID(high: 2, low: 1), notes: NoteChange(), overfull: { _, _ in [] }, now: now)
        #expect(isJoined)
        try engine.commitNew()
        #expect(try engine.history(id, limit: 9) == [])
        #expect(engine.historyNumber(id) == 0)
    }

    @Test func ofATransactionThatFailsNothingIsLeft() throws {
        let (sender, record) = (try sender(), MemoryRecord())
        var engine = try receiver(record)
        #expect(try joined([sender.ids[0]], of: sender, in: &engine))
        record.power.setHook { _ throws(StorageFault) in throw StorageFault(.record, "the disk is full") }
        #expect(throws: StorageFault.self) { try joined([sender.ids[1], sender.ids[2]], of: sender, in: &engine) }
        #expect(engine.ids == [sender.ids[0]])
        let name = try #require(sender.profiles[sender.ids[1]]?.name)
        #expect(engine.profiles.ids(named: name) == [])
        record.power.setHook(nil)
        #expect(try receiver(record).ids == [sender.ids[0]])
        // It goes on as if they had never come.
        #expect(try joined([sender.ids[2], sender.ids[1]], of: sender, in: &engine))
        #expect(try receiver(record).ids == sender.ids)
        #expect(engine.profiles.ids(named: name) == [sender.ids[1]])
    }

    private func joined(_ ids: [ProfileID], of sender: Engine, in engine: inout Engine) throws -> Bool {
        engine.beginNew()
        let areJoined = try ids.map { try joinNew($0, of: sender, in: &engine) }
        try engine.commitNew()
        return areJoined.allSatisfy { $0 }
    }

    @Test func whatOthersDependOnIsJoinedAlone() throws {
        var (sender, record) = (try sender(), MemoryRecord())
        var engine = try receiver(record)
        let (first, second, third) = (sender.ids[0], sender.ids[1], sender.ids[2])
        try sender.join(second, into: first, now: now)
        // One that was joined into another, one into which a known one was joined, and one that is known already.
        #expect(try !joined([second], of: sender, in: &engine))
        #expect(engine.ids == [])
        let theirs = try #require(sender.profiles[second])
        _ = try engine.join(
            second, atoms: theirs.state.delta(beyond: VersionVector()), from: VersionVector(), to: theirs.vector,
            freshReplica: ReplicaID(high: 2, low: 1), now: now)
        #expect(try !joined([first], of: sender, in: &engine))
        #expect(try joined([third], of: sender, in: &engine))
        #expect(try !joined([third], of: sender, in: &engine))
        #expect(engine.ids == [second, third])
    }
}
