import Glibc
import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import SQLiteDatabases
import TestSupport
import Testing

@testable import DiskStore

@Suite struct SQLiteRecordTests {
    let folder = TemporaryFolder()
    var file: String { folder["hearth.sqlite"] }
    let id = ProfileID(high: 7, low: 1)
    let replica = ReplicaID(high: 9, low: 3)

    private func fill(atoms: Int = 200) throws {
        let record = try SQLiteRecord(home: folder.path)
        var change = RecordChange.ProfileChange(id)
        change.replica = replica
        change.atoms = Self.atoms(atoms, replica)
        change.vector = VersionVector([replica: .init(sequence: UInt64(atoms), history: 5)])
        change.file = .some("/saves/save.json")
        change.baseHistory = [
            BaseHistoryRow(
                number: 1, kind: .game, vector: VersionVector(), byteDiff: .whole([UInt8](repeating: 7, count: 5_000)))
        ]
        var whole = RecordChange(change)
        whole.notes = NoteChange(["key": [1, 2, 3]])
        try record.commit(whole)
        record.close()
    }

    static func atoms(_ count: Int, _ replica: ReplicaID) -> [KeyedAtom] {
        (0..<count).map { number in
            let path = DocumentPath(encoded: Array("/levels/\(number)/stars".utf8))
            let value = JSONValue.number(JSONNumber(text: "\(number)")!)
            let dot = Dot(replica: replica, sequence: UInt64(number + 1))
            let epoch = EpochID(number: 3, kind: .reset, stamp: Stamp(rawValue: 5), origin: replica)
            return KeyedAtom(AtomKey(path, .max), Atom(.extremum(value), dot, epoch: number % 2 == 0 ? epoch : nil))
        }
    }

    @Test func theFileIsPrivateAndSafe() throws {
        let record = try SQLiteRecord(home: folder.path)
        #expect(Disk.mode(file) == 0o600)
        #expect(Disk.mode(file + "-wal") == 0o600)
        func pragma(_ name: String) throws -> SQLiteValue? {
            try record.database.use { try $0.first("PRAGMA \(name)") { $0.values.first } } ?? nil
        }
        #expect(try pragma("synchronous") == .integer(2))
        #expect(try pragma("journal_mode") == .text("wal"))
        #expect(try pragma("user_version") == .integer(RecordSchema.version))
        #expect(try pragma("application_id") == .integer(0x4872_7468))
    }

    @Test func anOpenFileOfAnotherModeIsMadePrivate() throws {
        try fill()
        chmod(file, 0o644)
        _ = try SQLiteRecord(home: folder.path)
        #expect(Disk.mode(file) == 0o600)
    }

    @Test func aNewerRecordIsRefusedUntouched() throws {
        try fill()
        let database = try SQLiteDatabase(path: file)
        try database.use { db in
            try db.execute("PRAGMA user_version = \(RecordSchema.version + 1)")
            try db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        database.close()
        let before = Disk.read(file)
        let fault = #expect(throws: StorageFault.self) { _ = try SQLiteRecord(home: folder.path) }
        #expect(fault?.message.contains("newer Hearth") == true, "\(fault?.message ?? "")")
        #expect(Disk.read(file) == before)
    }

    @Test func anotherDatabaseIsRefusedUntouched() throws {
        let database = try SQLiteDatabase(path: file)
        try database.use { try $0.execute("CREATE TABLE recipes (name TEXT)") }
        database.close()
        let before = Disk.read(file)
        let fault = #expect(throws: StorageFault.self) { _ = try SQLiteRecord(home: folder.path) }
        #expect(fault?.reason == .record)
        #expect(Disk.read(file) == before)
    }

    @Test(arguments: ["garbage", "folder", "fifo", "truncated", "short"]) func whatIsNoRecordIsRefusedUntouched(
        _ kind: String
    ) throws {
        switch kind {
        case "garbage": Disk.write([UInt8](repeating: 0x5A, count: 20_000), file)
        case "folder": mkdir(file, 0o700)
        case "fifo": mkfifo(file, 0o600)
        default:
            try fill(atoms: 2_000)
            truncate(file, kind == "short" ? 50 : 3 * 4_096)
        }
        let before = Disk.mode(file).map { _ in kind == "fifo" ? nil : Disk.read(file) }
        let fault = #expect(throws: StorageFault.self) {
            let record = try SQLiteRecord(home: folder.path)
            _ = try record.load(id)
        }
        #expect(fault?.reason == .record)
        #expect(fault?.message.contains(file) == true, "\(fault?.message ?? "")")
        #expect(Disk.mode(file).map { _ in kind == "fifo" ? nil : Disk.read(file) } == before)
    }

    @Test func anEmptyFileIsANewRecord() throws {
        Disk.write([], file)
        #expect(try SQLiteRecord(home: folder.path).profiles() == [])
    }

    /// An earlier build, killed after the first of its transactions: only its table of steps stands there.
    @Test func aRecordThatWasOnlyBegunIsANewRecord() throws {
        let database = try SQLiteDatabase(path: file)
        try database.use { db in
            try db.execute("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        database.close()
        #expect(try SQLiteRecord(home: folder.path).profiles() == [])
    }

    /// A flipped bit is noticed, or it is where nothing is stored; it never changes what is read.
    @Test func aFlippedBitIsNeverBelieved() throws {
        try fill()
        let whole = try #require(Disk.read(file))
        let expected = Set(Self.atoms(200, replica))
        var random = SeededRandom(seed: 20_251)
        var refused = 0
        for _ in 0..<200 {
            var bytes = whole
            bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
            for name in Disk.names(in: folder.path) { unlink(folder[name]) }
            Disk.write(bytes, file)
            do throws(StorageFault) {
                let record = try SQLiteRecord(home: folder.path)
                defer { record.close() }
                let stored = try record.load(id)
                let notes = try record.notes(prefix: "")
                // A lost header field may make it look like a new, empty record only if it says nothing at all.
                #expect(stored.map { Set($0.atoms) } == expected)
                #expect(stored?.file == "/saves/save.json")
                #expect(stored?.replica == replica)
                #expect(stored?.baseHistory.first?.byteDiff.middle == [UInt8](repeating: 7, count: 5_000))
                #expect(notes == ["key": [1, 2, 3]])
            } catch {
                refused += 1
                #expect(error.reason == .record)
                #expect(error.message.contains(file))
            }
        }
        #expect(refused > 20)
    }

    @Test func aHundredThousandAtomsLoad() throws {
        let clock = ContinuousClock()
        let written = try clock.measure { try fill(atoms: 100_000) }
        var read = Duration.zero
        let record = try SQLiteRecord(home: folder.path)
        var stored: StoredProfile?
        read = try clock.measure { stored = try record.load(id) }
        #expect(stored?.atoms.count == 100_000)
        var small = RecordChange.ProfileChange(id)
        small.atoms = Self.atoms(1, replica)
        let commit = try clock.measure { for _ in 0..<50 { try record.commit(RecordChange(small)) } }
        print("100,000 atoms: written in \(written), loaded in \(read); a commit of one takes \(commit / 50)")
    }
}
