import LosslessJSON
import MergeCore
import ProfileKeeping
import SQLiteDatabases
import TestSupport
import Testing

@testable import DiskStore

/// Records of former versions of Hearth.
@Suite struct RecordVersionTests {
    let folder = TemporaryFolder()
    var file: String { folder["hearth.sqlite"] }
    let id = ProfileID(high: 7, low: 1)
    let replica = ReplicaID(high: 9, low: 3)

    /// A record as version 1 wrote it: its tables, and rows with the check values it gave them. Never to be changed.
    private static let versionOne = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('1');
        CREATE TABLE profile (
            id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, replica BLOB NOT NULL, file TEXT, vector BLOB NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE replica (id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, mark INTEGER NOT NULL) STRICT;
        CREATE TABLE atom (
            profile INTEGER NOT NULL, path BLOB NOT NULL, kind INTEGER NOT NULL, sub BLOB NOT NULL,
            replica INTEGER NOT NULL, sequence INTEGER NOT NULL, content BLOB NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY (profile, path, kind, sub)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE lineage (
            profile INTEGER NOT NULL, number INTEGER NOT NULL, kind INTEGER NOT NULL, vector BLOB NOT NULL,
            prefix INTEGER NOT NULL, suffix INTEGER NOT NULL, middle BLOB NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY (profile, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE intent (
            profile INTEGER PRIMARY KEY, temporary TEXT NOT NULL, vector BLOB NOT NULL, prefix INTEGER NOT NULL,
            suffix INTEGER NOT NULL, middle BLOB NOT NULL, absent INTEGER NOT NULL, mark INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE note (
            key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL, mark INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        PRAGMA application_id = 1215460456;
        PRAGMA user_version = 1;
        INSERT INTO profile VALUES
            (1, X'00000000000000070000000000000001', X'00000000000000090000000000000003', '/saves/save.json',
            X'0000000000000009000000000000000300000000000000030000000000000005', 1497985649);
        INSERT INTO replica VALUES (1, X'00000000000000090000000000000003', 1545128448);
        INSERT INTO atom VALUES (1, X'2F6C6576656C', 1, X'', 1, 2, X'37', 1003274026);
        INSERT INTO atom VALUES (1, X'2F6E616D65', 0, X'', 1, 3, X'818BCFE5680000002241646122', 3756871163);
        INSERT INTO lineage VALUES (1, 1, 0, X'', 0, 0, X'7B7D', 2783860241);
        INSERT INTO intent VALUES
            (1, '.save.tmp', X'0000000000000009000000000000000300000000000000030000000000000005', 0, 0,
            X'5B5D', 0, 473412869);
        INSERT INTO note VALUES (X'6B6579', X'010203', 2687568210);
        """

    private var atoms: [KeyedAtom] {
        [
            KeyedAtom(
                AtomKey(DocumentPath(encoded: Array("/level".utf8)), .max),
                Atom(.extremum(7), Dot(replica: replica, sequence: 2))),
            KeyedAtom(
                AtomKey(DocumentPath(encoded: Array("/name".utf8)), .latest),
                Atom(.register(.live(1_700_000_000_000), "Ada"), Dot(replica: replica, sequence: 3))),
        ]
    }

    private func makeVersionOne() throws {
        let database = try SQLiteDatabase(path: file)
        try database.use { try $0.execute(Self.versionOne) }
        database.close()
    }

    @Test func aRecordOfVersionOneKeepsEverything() throws {
        try makeVersionOne()
        // A step that was made is not made again.
        for _ in 0..<2 {
            let record = try SQLiteRecord(home: folder.path)
            let stored = try #require(try record.load(id))
            #expect(stored.atoms == atoms)
            #expect(stored.vector.entries == [replica: .init(sequence: 3, history: 5)])
            #expect(stored.replica == replica)
            #expect(stored.file == "/saves/save.json")
            #expect(stored.baseHistory.map(\.byteDiff.middle) == [[123, 125]])
            #expect(stored.intent?.temporary == ".save.tmp")
            #expect(try record.notes(prefix: "") == ["key": [1, 2, 3]])
            let version = try record.database.use { try $0.first("PRAGMA user_version") { $0.integer(0) } }
            #expect(version == Int64(RecordSchema.version))
            record.close()
        }
    }

    @Test func aRecordOfVersionOneTakesEpochs() throws {
        try makeVersionOne()
        let epoch = EpochID(number: 1, kind: .reset, stamp: Stamp(rawValue: 0), origin: replica)
        var record = try SQLiteRecord(home: folder.path)
        var change = RecordChange.ProfileChange(id)
        let former = atoms[0]
        change.atoms = [KeyedAtom(former.key, Atom(.extremum(1), Dot(replica: replica, sequence: 4), epoch: epoch))]
        try record.commit(RecordChange(change))
        record.close()
        record = try SQLiteRecord(home: folder.path)
        #expect(try record.load(id)?.atoms == change.atoms + atoms.dropFirst())
    }

    @Test func anEpochThatIsNoneIsNotBelieved() throws {
        for epoch in ["x''", "x'00'", "zeroblob(34)", "NULL"] {
            let home = TemporaryFolder()
            let record = try SQLiteRecord(home: home.path)
            var change = RecordChange.ProfileChange(id)
            change.replica = replica
            try record.commit(RecordChange(change))
            let known = EpochID(number: 1, kind: .reset, stamp: Stamp(rawValue: 0), origin: replica)
            let dot = Dot(replica: replica, sequence: 4)
            change.atoms = [KeyedAtom(atoms[0].key, Atom(.extremum(1), dot, epoch: known))]
            try record.commit(RecordChange(change))
            try record.database.use { try $0.execute("UPDATE atom SET epoch = \(epoch)") }
            let fault = #expect(throws: StorageFault.self) { _ = try record.load(id) }
            #expect(fault?.message.contains("damaged") == true, "\(epoch)")
            record.close()
        }
    }
}
