import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import SQLiteDatabases
import Testing

@testable import DiskStore

/// The outlines of all profiles, as a start reads them: each as if it was read alone.
@Suite struct OutlinesTests {
    typealias Kind = RecordConformanceTests.Kind

    private let replica = ReplicaID(high: 9, low: 3)

    private func fill(_ record: any ProfileKeeping.Record) throws -> [ProfileID] {
        let ids = (UInt64(1)...9).map { ProfileID(high: $0 * 0x1234_5678_9ABC_DEF1, low: $0) }
        for (number, id) in ids.enumerated() {
            var change = RecordChange.ProfileChange(id)
            change.replica = ReplicaID(high: 9, low: UInt64(number))
            change.vector = VersionVector([replica: .init(sequence: UInt64(number) + 1, history: 5)])
            change.file = number % 2 == 0 ? .some("/saves/\(number)") : nil
            change.atoms = SampleAtoms.ofEveryKind(replica)
            if number % 3 != 0 {
                let dot = Dot(replica: replica, sequence: 1)
                change.atoms.append(
                    KeyedAtom(
                        AtomKey(.name, .latest), Atom(.register(.live(1), .string(JSONString("\(number)"))), dot)))
            }
            if number % 4 != 1 {
                change.baseHistory = [
                    BaseHistoryRow(number: 1, kind: .game, vector: VersionVector(), byteDiff: .whole([1, 2, 3])),
                    BaseHistoryRow(number: 2, kind: .game, vector: VersionVector(), byteDiff: .whole([4])),
                ]
            }
            if number == 4 {
                change.intent = .set(
                    Intent(
                        temporary: ".hearth-1", byteDiff: .whole([7]), vector: VersionVector(), targetWasAbsent: false))
            }
            change.history = HistoryRow(
                mark: HistoryMark(number: 1, bytes: 3), time: 5, origin: .save, writer: replica, changes: [1, 2, 3])
            try record.commit(RecordChange(change))
        }
        return ids
    }

    @Test(arguments: Kind.allCases) func allAreReadAsEachAlone(_ kind: Kind) throws {
        let world = try RecordConformanceTests.World(kind)
        #expect(try world.record.outlines().isEmpty)
        let ids = try fill(world.record)
        for _ in 0..<2 {
            let outlines = try world.record.outlines()
            #expect(outlines.map(\.profile) == ids.sorted())
            for (id, stored) in outlines {
                let number = try #require(ids.firstIndex(of: id))
                let alone = try #require(try world.record.load(id, .outline))
                #expect(stored.atoms == alone.atoms && stored.atoms.count == (number % 3 == 0 ? 0 : 1))
                #expect(stored.vector == alone.vector && stored.vector.sequence(of: replica) == UInt64(number) + 1)
                #expect(stored.replica == alone.replica && stored.file == alone.file)
                #expect(stored.file == (number % 2 == 0 ? "/saves/\(number)" : nil))
                #expect(stored.intent == alone.intent && (stored.intent != nil) == (number == 4))
                #expect(stored.hasSnapshots == alone.hasSnapshots && stored.hasSnapshots == (number % 4 != 1))
                #expect(stored.baseHistory.isEmpty && stored.history == HistoryMark())
            }
            try world.reopen()
        }
    }

    @Test func aDamagedRowIsNotBelieved() throws {
        for damage in [
            "UPDATE profile SET mark = mark + 1 WHERE id = 3", "UPDATE profile SET uuid = x'00' WHERE id = 3",
            "UPDATE atom SET mark = mark + 1 WHERE profile = 3", "UPDATE intent SET mark = mark + 1",
        ] {
            let world = try RecordConformanceTests.World(.sqlite)
            _ = try fill(world.record)
            let record = try #require(world.record as? SQLiteRecord)
            try record.database.use { try $0.execute(damage) }
            #expect(throws: StorageFault.self, "\(damage)") { _ = try record.outlines() }
        }
    }
}
