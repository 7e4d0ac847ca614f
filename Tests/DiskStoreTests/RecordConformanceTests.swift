import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

@testable import DiskStore

/// What every ``Record`` must do, memory and disk alike.
@Suite struct RecordConformanceTests {
    enum Kind: String, CaseIterable, Sendable {
        case memory, sqlite
    }

    /// A record that can be closed and opened again.
    final class World {
        private(set) var record: any ProfileKeeping.Record
        private let folder: TemporaryFolder?

        init(_ kind: Kind) throws {
            if kind == .memory {
                record = MemoryRecord()
                folder = nil
            } else {
                let folder = TemporaryFolder()
                record = try SQLiteRecord(home: folder.path)
                self.folder = folder
            }
        }

        func reopen() throws {
            guard let folder, let open = record as? SQLiteRecord else { return }
            open.close()
            record = try SQLiteRecord(home: folder.path)
        }
    }

    private let id = ProfileID(high: 7, low: 1)
    private let replica = ReplicaID(high: 9, low: .max)

    private func change(_ edit: (inout RecordChange.ProfileChange) -> Void) -> RecordChange {
        var change = RecordChange.ProfileChange(id)
        edit(&change)
        return RecordChange(change)
    }

    @Test(arguments: Kind.allCases) func anEmptyRecordHoldsNothing(_ kind: Kind) throws {
        let world = try World(kind)
        #expect(try world.record.profiles() == [])
        #expect(try world.record.load(id) == nil)
        #expect(try world.record.notes(prefix: "") == [:])
        try world.record.commit(RecordChange())
    }

    /// A repair takes atoms out; what the same change puts in under their keys is there afterwards.
    @Test(arguments: Kind.allCases) func atomsCanBeRemoved(_ kind: Kind) throws {
        let world = try World(kind)
        let atoms = SampleAtoms.ofEveryKind(replica)
        try world.record.commit(
            change {
                $0.replica = replica
                $0.atoms = atoms
            })
        try world.record.commit(
            change {
                $0.removed = atoms.dropFirst(2).map(\.key)
                $0.atoms = [atoms[2]]
            })
        try world.reopen()
        #expect(try Set(world.record.load(id)?.atoms ?? []) == Set(atoms.prefix(3)))
    }

    @Test(arguments: Kind.allCases) func everyKindOfAtomComesBack(_ kind: Kind) throws {
        let world = try World(kind)
        let atoms = SampleAtoms.ofEveryKind(replica)
        var vector = VersionVector()
        vector.advance(replica, to: .init(sequence: .max, history: 0x8000_0000_0000_0001))
        vector.advance(ReplicaID(high: 1, low: 2), to: .init(sequence: 3, history: 4))
        try world.record.commit(
            change {
                $0.replica = replica
                $0.atoms = atoms
                $0.vector = vector
                $0.file = .some("/saves/Ünï 🎮.json")
            })
        try world.reopen()
        let stored = try #require(try world.record.load(id))
        #expect(Set(stored.atoms) == Set(atoms))
        #expect(stored.atoms.count == atoms.count)
        #expect(stored.vector == vector)
        #expect(stored.vector.entries == vector.entries)
        #expect(stored.replica == replica)
        #expect(stored.file == "/saves/Ünï 🎮.json")
        #expect(try world.record.profiles() == [id])
    }

    /// Whatever is written and removed later.
    @Test(arguments: Kind.allCases) func theAtomsWithWhichAProfileCameAreKept(_ kind: Kind) throws {
        let world = try World(kind)
        let first = Dot(replica: replica, sequence: 1)
        let note = KeyedAtom(AtomKey(.name, .latest), Atom(.register(.live(1), "RPG"), first))
        let atoms = [note] + SampleAtoms.ofEveryKind(replica)
        try world.record.commit(
            change {
                $0.replica = replica
                $0.atoms = atoms
            })
        func expect(_ present: [KeyedAtom], _ name: KeyedAtom) throws {
            for _ in 0..<2 {
                #expect(try world.record.load(id, .arrival)?.atoms == atoms)
                let stored = try #require(try world.record.load(id))
                #expect(stored.atoms.count == present.count && Set(stored.atoms) == Set(present))
                #expect(try Set(world.record.load(id, .state)?.atoms ?? []) == Set(present))
                #expect(try world.record.load(id, .outline)?.atoms == [name])
                try world.reopen()
            }
        }
        try expect(atoms, note)
        let dot = Dot(replica: ReplicaID(high: 1, low: 2), sequence: 7)
        let later = [
            KeyedAtom(note.key, Atom(.register(.live(2), "other"), dot)),
            KeyedAtom(AtomKey(DocumentPath(encoded: Array("/flag".utf8)), .flag), Atom(.flag(false), dot)),
            KeyedAtom(AtomKey(DocumentPath(encoded: Array("/new".utf8)), .flag), Atom(.flag(true), dot)),
        ]
        try world.record.commit(change { $0.atoms = later })
        let rest = atoms.filter { atom in !later.contains { $0.key == atom.key } }
        try expect(later + rest, later[0])
        // The one that is removed does not come back from what was there at first; nor does a removed later one.
        try world.record.commit(change { $0.removed = [rest[0].key, later[1].key] })
        try expect([later[0], later[2]] + rest.dropFirst(), later[0])
        try world.record.commit(change { $0.atoms = [rest[0]] })
        try expect([later[0], later[2]] + rest, later[0])
    }

    @Test(arguments: Kind.allCases) func onlyWhatIsGivenChanges(_ kind: Kind) throws {
        let world = try World(kind)
        var vector = VersionVector()
        vector.advance(replica, to: .init(sequence: 1, history: 2))
        try world.record.commit(
            change {
                $0.replica = replica
                $0.vector = vector
                $0.file = .some("/a")
            })
        try world.record.commit(change { $0.atoms = SampleAtoms.ofEveryKind(replica) })
        var stored = try #require(try world.record.load(id))
        #expect(stored.vector == vector)
        #expect(stored.file == "/a")
        let other = ReplicaID(high: 0, low: 1)
        try world.record.commit(
            change {
                $0.file = .some(nil)
                $0.replica = other
            })
        try world.reopen()
        stored = try #require(try world.record.load(id))
        #expect(stored.file == nil)
        #expect(stored.replica == other)
        #expect(stored.vector == vector)
        #expect(stored.atoms.count == SampleAtoms.ofEveryKind(replica).count)
    }

    @Test(arguments: Kind.allCases) func atomsAreWrittenOver(_ kind: Kind) throws {
        let world = try World(kind)
        let key = AtomKey(DocumentPath(encoded: Array("/a".utf8)), .flag)
        for sequence in 1...3 as ClosedRange<UInt64> {
            let atom = KeyedAtom(key, Atom(.flag(sequence == 3), Dot(replica: replica, sequence: sequence)))
            try world.record.commit(
                change {
                    $0.replica = replica
                    $0.atoms = [atom]
                })
            #expect(try world.record.load(id)?.atoms == [atom])
        }
    }

    @Test(arguments: Kind.allCases) func baseHistoryIsCutAfterItIsStored(_ kind: Kind) throws {
        let world = try World(kind)
        func row(_ number: Int64, _ kind: BaseHistoryRow.Kind = .projected) -> BaseHistoryRow {
            BaseHistoryRow(
                number: number, kind: kind, vector: VersionVector(),
                byteDiff: ByteDiff(prefix: 1, suffix: Int(number), middle: number == 3 ? [] : [UInt8(number), 0]))
        }
        try world.record.commit(
            change {
                $0.replica = replica
                $0.baseHistory = [row(3), row(1, .game), row(2)]
            })
        #expect(try world.record.load(id)?.baseHistory == [row(1, .game), row(2), row(3)])
        try world.record.commit(
            change {
                $0.baseHistory = [row(1), row(4), row(3, .dropped)]
                $0.baseHistoryFrom = 3
            })
        try world.reopen()
        #expect(try world.record.load(id)?.baseHistory == [row(3, .dropped), row(4)])
        try world.record.commit(change { $0.baseHistoryFrom = .max })
        #expect(try world.record.load(id)?.baseHistory == [])
    }

    @Test(arguments: Kind.allCases) func intentIsSetAndCleared(_ kind: Kind) throws {
        let world = try World(kind)
        var vector = VersionVector()
        vector.advance(replica, to: .init(sequence: 1, history: 2))
        for absent in [true, false] {
            let intent = Intent(
                temporary: ".hearth-ff", byteDiff: ByteDiff(prefix: 0, suffix: 2, middle: absent ? [] : [7]),
                vector: vector, targetWasAbsent: absent)
            try world.record.commit(
                change {
                    $0.replica = replica
                    $0.intent = .set(intent)
                })
            try world.reopen()
            #expect(try world.record.load(id)?.intent == intent)
            try world.record.commit(change { _ in })
            #expect(try world.record.load(id)?.intent == intent)
        }
        try world.record.commit(change { $0.intent = .clear })
        #expect(try world.record.load(id)?.intent == nil)
    }

    @Test(arguments: Kind.allCases) func historyIsListedNewestFirst(_ kind: Kind) throws {
        let world = try World(kind)
        #expect(try world.record.history(id, below: .max, limit: 9) == [])
        try world.record.commit(change { $0.replica = replica })
        #expect(try world.record.load(id)?.history == HistoryMark())
        let steps = (1...5).map { step(Int64($0), bytes: Int64($0) * 10) }
        for step in steps { try world.record.commit(change { $0.history = step }) }
        try world.reopen()
        #expect(try world.record.history(id, below: .max, limit: 9) == steps.reversed())
        #expect(try world.record.history(id, below: 4, limit: 2) == [steps[2], steps[1]])
        #expect(try world.record.history(id, below: 1, limit: 9) == [])
        #expect(try world.record.history(id, below: .max, limit: 0) == [])
        #expect(try world.record.history(ProfileID(high: 8, low: 8), below: .max, limit: 9) == [])
        #expect(try world.record.load(id)?.history == steps[4].mark)
        // A change of something else keeps it.
        try world.record.commit(change { $0.file = .some("/b") })
        #expect(try world.record.load(id)?.history == steps[4].mark)
    }

    @Test(arguments: Kind.allCases) func historyIsBoundedByCount(_ kind: Kind) throws {
        let world = try World(kind)
        try world.record.commit(change { $0.replica = replica })
        let last = HistoryRow.countLimit + 3
        for number in 1...last { try world.record.commit(change { $0.history = step(number, bytes: number) }) }
        let kept = try world.record.history(id, below: .max, limit: .max)
        #expect(kept.map(\.mark.number) == (4...last).reversed())
    }

    /// Also the newest step alone may be larger than all that is kept otherwise; then it is what is kept.
    @Test(arguments: Kind.allCases) func historyIsBoundedByBytes(_ kind: Kind) throws {
        let world = try World(kind)
        try world.record.commit(change { $0.replica = replica })
        let limit = HistoryRow.byteLimit
        for (number, bytes) in [(1, 10), (2, limit), (3, limit + 9), (4, limit + 10)] as [(Int64, Int64)] {
            try world.record.commit(change { $0.history = step(number, bytes: bytes) })
        }
        #expect(try world.record.history(id, below: .max, limit: 9).map(\.mark.number) == [4, 3, 2])
        try world.record.commit(change { $0.history = step(5, bytes: 9 * limit) })
        try world.reopen()
        #expect(try world.record.history(id, below: .max, limit: 9).map(\.mark.number) == [5])
        #expect(try world.record.load(id)?.history == HistoryMark(number: 5, bytes: 9 * limit))
    }

    private func step(_ number: Int64, bytes: Int64) -> HistoryRow {
        HistoryRow(
            mark: HistoryMark(number: number, bytes: bytes), time: WallTime(milliseconds: number == 2 ? .min : number),
            origin: HistoryEntry.Origin.allCases[Int(number) % HistoryEntry.Origin.allCases.count], writer: replica,
            changes: number == 3 ? [] : [1, UInt8(truncatingIfNeeded: number)])
    }

    @Test(arguments: Kind.allCases) func notesAreFoundByPrefix(_ kind: Kind) throws {
        let world = try World(kind)
        var change = RecordChange()
        change.notes = NoteChange(["a/1": [1], "a/2": [], "a": [3], "b/1": [4], "": [5], "a0": [6], "é": [7]])
        try world.record.commit(change)
        try world.reopen()
        #expect(try world.record.notes(prefix: "a/") == ["a/1": [1], "a/2": []])
        #expect(try world.record.notes(prefix: "").count == 7)
        #expect(try world.record.notes(prefix: "é") == ["é": [7]])
        #expect(try world.record.notes(prefix: "zz") == [:])
        change.notes = NoteChange(["a/1": nil, "a/2": [9], "missing": nil])
        try world.record.commit(change)
        #expect(try world.record.notes(prefix: "a/") == ["a/2": [9]])
    }

    @Test(arguments: Kind.allCases) func aFailedChangeStoresNothing(_ kind: Kind) throws {
        let world = try World(kind)
        var change = RecordChange()
        var known = RecordChange.ProfileChange(id)
        known.replica = replica
        // The second profile is new and names no replica.
        change.profiles = [known, RecordChange.ProfileChange(ProfileID(high: 8, low: 8))]
        change.notes = NoteChange(["note": [1]])
        let fault = #expect(throws: StorageFault.self) { try world.record.commit(change) }
        #expect(fault?.reason == .record)
        #expect(try world.record.profiles() == [])
        #expect(try world.record.notes(prefix: "") == [:])
    }

    @Test(arguments: Kind.allCases) func profilesAreApartAndAscending(_ kind: Kind) throws {
        let world = try World(kind)
        let ids = [ProfileID(high: 2, low: 0), ProfileID(high: 1, low: .max), ProfileID(high: .max, low: 0)]
        for (number, id) in ids.enumerated() {
            var change = RecordChange.ProfileChange(id)
            change.replica = replica
            change.atoms = Array(SampleAtoms.ofEveryKind(replica).prefix(number + 1))
            try world.record.commit(RecordChange(change))
        }
        try world.reopen()
        #expect(try world.record.profiles() == [ids[1], ids[0], ids[2]])
        for (number, id) in ids.enumerated() { #expect(try world.record.load(id)?.atoms.count == number + 1) }
    }
}

/// Atoms to store.
enum SampleAtoms {
    static func ofEveryKind(_ replica: ReplicaID) -> [KeyedAtom] {
        func path(_ text: String) -> DocumentPath { DocumentPath(encoded: Array(text.utf8)) }
        let number = JSONValue.number(JSONNumber(text: "1.50e+3")!)
        let long = JSONValue.string(JSONString(String(repeating: "long ", count: 2_000)))
        let contents: [(AtomKey, AtomContent)] = [
            (AtomKey(path("/latest"), .latest), .register(.live(1_700_000_000_000), long)),
            (AtomKey(path("/gone"), .latest), .register(.adopted(5), nil)),
            (AtomKey(path("/max"), .max), .extremum(number)),
            (AtomKey(path("/flag"), .flag), .flag(true)),
            (
                AtomKey(path("/coins"), .counter, sub: replica.bytes),
                .tally(earned: ExactDecimal(text: "12")!, spent: .zero)
            ),
            (AtomKey(path("/coins"), .counter), .baseline(ExactDecimal(text: "-0.5")!)),
            (AtomKey(path("/themes"), .union, sub: number.canonicalBytes), .member(number)),
            (AtomKey(path("/friends"), .set, sub: number.canonicalBytes), .membership(length: .max, number)),
            (AtomKey(path("/later"), AtomKind(rawValue: 31)), .opaque([0, 255, 1])),
            (AtomKey(path("/later"), AtomKind(rawValue: 30)), .opaque([])),
            (AtomKey(.root, .latest), .register(.live(1), .bool(false))),
        ]
        let restore = EpochID(number: 1, kind: .restore, stamp: .live(1), origin: replica)
        let nobody = ReplicaID(high: 0, low: 0)
        let reset = EpochID(number: .max, kind: .reset, stamp: Stamp(rawValue: .max), origin: nobody)
        return contents.enumerated().map { index, content in
            let epoch = [nil, restore, reset][index % 3]
            let dot = Dot(replica: replica, sequence: .max - UInt64(index))
            return KeyedAtom(content.0, Atom(content.1, dot, epoch: epoch))
        }
    }
}
