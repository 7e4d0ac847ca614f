import GRDB
import ProfileKeeping

/// The tables of the record and their versions.
enum RecordSchema {
    /// "Hrth": marks the file as Hearth's in its header.
    static let applicationID: Int32 = 0x4872_7468
    /// The newest version this Hearth can read.
    static let version: Int32 = 2

    /// Each step is one transaction: killed in the middle, it is made again at the next start.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: first)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = 1")
        }
        migrator.registerMigration("2") { db in
            try db.execute(sql: second)
            try db.execute(sql: "PRAGMA user_version = 2")
        }
        return migrator
    }

    /// Ids are blobs of 16 bytes, sequence numbers and stamps are 64-bit patterns. `mark` is a row's check value, see
    /// ``RowMark``. Nothing is indexed but what is looked up.
    private static let first = """
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
        """

    /// The epoch an atom was written in, 33 bytes; NULL for none, as everything was before there were epochs. No row is
    /// touched: SQLite reads the new column as NULL where a row ends before it.
    private static let second = "ALTER TABLE atom ADD COLUMN epoch BLOB"

    /// Looks at an existing file before anything is written to it: it must be Hearth's, whole, and not newer.
    static func checkUntouched(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "hearth.record.check"
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { db in
            try db.execute(sql: "PRAGMA cell_size_check = ON")
            let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            guard owner == applicationID || (owner == 0 && version == 0 && tables == 0) else {
                throw StorageFault(
                    .record, "\(path) is another program's database, or its header is damaged; move it away, then start again")
            }
            guard version <= Self.version else {
                throw StorageFault(
                    .tooNew,
                    "the record \(path) was written by a newer Hearth (version \(version), this one knows \(Self.version)); update Hearth here")
            }
            // Structure only; what the rows hold is checked as they are read.
            let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "ok"
            guard verdict == "ok" else { throw StorageFault.damaged(path, verdict) }
        }
    }
}
