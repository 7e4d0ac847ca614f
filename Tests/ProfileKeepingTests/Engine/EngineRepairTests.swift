import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import ProfileKeeping

/// What an engine does around a repair, and what it knows of its own writes.
@Suite struct EngineRepairTests {
    private typealias Desk = TestDevice<MemoryFiles, MemoryRecord>

    private let owner = ReplicaID(high: 7, low: 7)
    private let relay = ReplicaID(high: 9, low: 9)
    private let gold = AtomKey(DocumentPath([.member("gold")]), .latest)

    private func register(_ value: JSONValue, _ sequence: UInt64, at time: Int64 = 1) -> Atom {
        Atom(.register(.live(WallTime(milliseconds: time)), value), Dot(replica: owner, sequence: sequence))
    }

    /// A reset that the owner began, and the atom that declares it.
    private func reset(of path: DocumentPath) -> (id: EpochID, declared: KeyedAtom) {
        let id = EpochID(number: 1, kind: .reset, stamp: Stamp(rawValue: 0), origin: owner)
        let epoch = Epoch(selector: PathSelector(places: [path]), seen: [:])
        let key = AtomKey(.epochs, .epoch, sub: id.bytes + owner.bytes)
        return (id, KeyedAtom(key, Atom(.epoch(epoch), Dot(replica: owner, sequence: 1))))
    }

    private func end(_ sequence: UInt64) -> VersionVector.Entry { .init(sequence: sequence, history: sequence) }

    /// A device without a file that was told something in the name of the owner.
    private func device(told atoms: [KeyedAtom], upTo sequence: UInt64) throws -> (Desk, ProfileID) {
        var server = try Desk(MemoryFiles(), MemoryRecord(), path: "/s/save.json", number: 3)
        let id = ProfileID(random: 5, 5)
        let outcome = try server.engine.join(
            id, atoms: atoms, from: VersionVector(), to: VersionVector([owner: end(sequence)]),
            freshReplica: ReplicaID(high: 3, low: 3), now: server.now)
        #expect(outcome == .joined)
        return (server, id)
    }

    /// Without a file there would be no other copy of what a repair takes away.
    @Test func whatARepairTakesAwayIsInTheBackups() throws {
        var (server, id) = try device(told: [KeyedAtom(gold, register(900, 2))], upTo: 2)
        let span = try #require(WriteSpan(owner, after: 0, upTo: end(2)))
        #expect(try server.engine.backups(id).isEmpty)
        let told = [KeyedAtom(gold, register(900, 2))]
        #expect(try server.engine.repair(id, by: told, spans: [span], now: server.now) == .agreed)
        #expect(try server.engine.backups(id).isEmpty)
        let outcome = try server.engine.repair(
            id, by: [KeyedAtom(gold, register(5, 1))], spans: [span], remark: { _ in "it was changed" },
            now: server.now)
        #expect(outcome == .repaired(differing: [gold]))
        let backup = try #require(try server.engine.backups(id).last)
        guard case .document(let bytes) = server.engine.readBackup(id, backup.name) else {
            Issue.record("the backup cannot be read")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""gold":900"#))
        #expect(server.engine.profiles[id]?.state.value(at: gold.path) == 5)
        // It stays so: the record holds what memory holds.
        let again = try ProfileEngine(files: server.engine.files, store: server.engine.store)
        #expect(again.profiles[id]?.state.sortedAtoms == server.engine.profiles[id]?.state.sortedAtoms)
        #expect(again.profiles[id]?.notices.sentences == ["it was changed"])
    }

    /// A place of a save whose rules name a version is stored with that version, and leaves the file as any other.
    @Test func whatARepairTakesAwayLeavesAFileOfANamedVersion() throws {
        let rules = try RuleSet([], version: "14", versionAt: "/version")
        var server = try Desk(MemoryFiles(), MemoryRecord(), path: "/s/save.json", number: 3)
        server.engine.files.saveByRename(Array(#"{"version":"14","hp":1}"#.utf8), at: server.path)
        let ids = FreshIDs(profile: ProfileID(random: 5, 5), replica: ReplicaID(high: 3, low: 3))
        let id = try server.engine.add(file: server.path, name: "test", rules: rules, ids: ids, now: server.now)
        try server.settle(id)
        let silver = AtomKey(DocumentPath(encoded: Array("#v/14/silver".utf8)), .latest)
        let known = server.engine.profiles[id]?.state.vector ?? VersionVector()
        let joined = try server.engine.join(
            id, atoms: [KeyedAtom(silver, register(900, 1))], from: known,
            to: VersionVector(known.entries.merging([owner: end(1)]) { $1 }), freshReplica: ReplicaID(high: 3, low: 4),
            now: server.now)
        #expect(joined == .joined)
        try server.settle(id)
        func text() -> String { String(decoding: server.engine.files.bytes(at: server.path) ?? [], as: UTF8.self) }
        #expect(text().contains(#""silver":900"#), "\(text())")
        let span = try #require(WriteSpan(owner, after: 0, upTo: end(1)))
        _ = try server.engine.repair(id, by: [], spans: [span], now: server.now)
        try server.settle(id)
        #expect(!text().contains("silver") && text().contains(#""version":"14""#), "\(text())")
    }

    /// The power goes between the repair and the file: what the record holds goes into the file at the next start.
    @Test func aFileIsWrittenAfterARepairThatACrashCutShort() throws {
        var (server, id) = try device(told: [KeyedAtom(gold, register(900, 2))], upTo: 2)
        try server.engine.bind(id, to: server.path, now: server.now)
        try server.settle(id)
        let span = try #require(WriteSpan(owner, after: 0, upTo: end(2)))
        _ = try server.engine.repair(id, by: [KeyedAtom(gold, register(5, 1))], spans: [span], now: server.now)
        let (files, record) = (server.engine.files, server.engine.store)
        files.power.restart()
        var again = try Desk(files, record, path: server.path, number: 3)
        _ = again.engine.recover(now: again.now)
        try again.settle(id)
        let bytes = try #require(files.bytes(at: server.path))
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""gold":5"#))
    }

    /// Everything that a sender has can hold an epoch that this device covers and does not hold.
    @Test func anEpochThatWasDeniedComesWithEverything() throws {
        var (server, id) = try device(told: [], upTo: 1)
        let (epochID, declared) = reset(of: gold.path)
        let played = KeyedAtom(
            gold,
            Atom(.register(.live(WallTime(milliseconds: 2)), 4), Dot(replica: relay, sequence: 1), epoch: epochID))
        let (known, to) = (VersionVector([owner: end(1)]), VersionVector([owner: end(1), relay: end(1)]))
        func join(_ atoms: [KeyedAtom]) throws -> JoinOutcome {
            try server.engine.join(
                id, atoms: atoms, from: known, to: to, freshReplica: ReplicaID(high: 4, low: 4), now: server.now)
        }
        guard case .undeclared = try join([played]) else {
            Issue.record("it was joined without a declaration")
            return
        }
        #expect(try join([declared, played]) == .joined)
        let held = try #require(server.engine.profiles[id])
        #expect(held.state.value(at: gold.path) == 4)
        // Whoever gets it from here accepts it.
        let delta = held.state.delta(beyond: known)
        #expect(ProfileState().refusal(of: delta) == nil)
    }

    /// A denied epoch that only denied writes belong to is needed by nobody: what comes beside it is taken.
    @Test func aDeniedEpochThatNothingHereNeedsIsNoFault() throws {
        var (server, id) = try device(told: [], upTo: 1)
        let (epochID, declared) = reset(of: gold.path)
        let denied = KeyedAtom(
            gold,
            Atom(.register(.live(WallTime(milliseconds: 2)), 4), Dot(replica: owner, sequence: 1), epoch: epochID))
        let silver = AtomKey(DocumentPath([.member("silver")]), .latest)
        let played = KeyedAtom(
            silver, Atom(.register(.live(WallTime(milliseconds: 2)), 7), Dot(replica: relay, sequence: 1)))
        let outcome = try server.engine.join(
            id, atoms: [declared, denied, played], from: VersionVector([owner: end(1)]),
            to: VersionVector([owner: end(1), relay: end(1)]), freshReplica: ReplicaID(high: 4, low: 4),
            now: server.now)
        #expect(outcome == .joined)
        let held = try #require(server.engine.profiles[id])
        #expect(held.state.value(at: silver.path) == 7 && held.state.atom(gold) == nil && held.state.epochs.isEmpty)
    }

    // MARK: Own writes

    @Test func theEndsOfFormerWritesAreKnown() throws {
        var desk = try Desk(MemoryFiles(), MemoryRecord(), path: "/a/save.json", number: 1)
        desk.engine.files.saveByRename(TestSave.bytes(coins: 1, level: 1), at: desk.path)
        let id = try desk.add()
        var ends: [VersionVector.Entry] = []
        for number in 2..<200 {
            desk.engine.files.saveByRename(TestSave.bytes(coins: number, level: number), at: desk.path)
            _ = try desk.engine.ingest(id, now: desk.now)
            let held = try #require(desk.engine.profiles[id])
            ends.append(try #require(held.state.vector.entries[held.replica]))
        }
        let replica = try #require(desk.engine.profiles[id]).replica
        #expect(Set(ends).count > 64)
        for engine in [desk.engine, try ProfileEngine(files: desk.engine.files, store: desk.engine.store)] {
            #expect(ends.allSatisfy { engine.hasWritten($0, as: replica, in: id) })
            let other = VersionVector.Entry(sequence: ends[9].sequence, history: ends[9].history ^ 1)
            #expect(!engine.hasWritten(other, as: replica, in: id))
            #expect(!engine.hasWritten(ends[9], as: relay, in: id))
        }
        #expect(try desk.engine.store.notes(in: OwnEnds.notes).values.allSatisfy { $0.count <= 1 << 10 })
    }

    /// Damage where nobody looks at a start must not stop every later save.
    @Test func aDamagedNoteOfFormerWritesStopsNoSave() throws {
        let (files, record) = (MemoryFiles(), MemoryRecord())
        files.saveByRename(TestSave.bytes(coins: 1, level: 1), at: "/a/save.json")
        var desk = try Desk(files, record, path: "/a/save.json", number: 1)
        let id = try desk.add()
        var again = try TestDevice(files, WithoutOwnEnds(record: record), path: desk.path, number: 1)
        _ = again.engine.recover(now: again.now)
        files.saveByRename(TestSave.bytes(coins: 2, level: 1), at: desk.path)
        _ = try again.engine.ingest(id, now: again.now + 1_000)
        let held = try #require(again.engine.profiles[id])
        let last = try #require(held.state.vector.entries[held.replica])
        #expect(try #require(desk.engine.profiles[id]).state.vector.entries[held.replica] != last)
        #expect(try record.load(id)?.vector.entries[held.replica] == last)
        // The note is written anew.
        let ends = try record.notes(in: OwnEnds.notes)
        #expect(ends.contains { OwnEnds($0.key, $0.value).contains(last) })
    }

    @Test func onlyTheLastEndsAreKept() {
        let id = ProfileID(random: 1, 1)
        #expect(OwnEnds.formerKey(id, owner, at: 64 * 64 - 1) == nil)
        #expect(OwnEnds.formerKey(id, owner, at: 64 * 64) == OwnEnds.key(id, owner, at: 63))
        var ends = OwnEnds(OwnEnds.key(id, owner, at: 5), nil)
        for sequence in [3, 4, 5] as [UInt64] { ends.add(end(sequence)) }
        // A record that was set back writes the same numbers again.
        ends.add(.init(sequence: 4, history: 9))
        let read = OwnEnds(ends.key, ends.note)
        #expect(read == ends && read.contains(end(3)) && read.contains(.init(sequence: 4, history: 9)))
        #expect(!read.contains(end(4)) && !read.contains(end(5)))
    }
}

/// A record whose notes of own writes cannot be read.
private struct WithoutOwnEnds: ProfileKeeping.Record {
    let record: MemoryRecord

    func profiles() throws(StorageFault) -> [ProfileID] { try record.profiles() }

    func load(_ profile: ProfileID) throws(StorageFault) -> StoredProfile? { try record.load(profile) }

    func load(_ profile: ProfileID, _ part: StoredPart) throws(StorageFault) -> StoredProfile? {
        try record.load(profile, part)
    }

    func history(_ profile: ProfileID, below number: Int64, limit: Int) throws(StorageFault) -> [HistoryRow] {
        try record.history(profile, below: number, limit: limit)
    }

    func notes(prefix: String) throws(StorageFault) -> [String: [UInt8]] {
        if prefix.hasPrefix(OwnEnds.notes.prefix) { throw StorageFault(.record, "a note is damaged") }
        return try record.notes(prefix: prefix)
    }

    func commit(_ change: RecordChange) throws(StorageFault) { try record.commit(change) }
}
