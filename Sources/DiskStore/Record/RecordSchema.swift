import Libc
import LocalFiles
import ProfileKeeping
import SQLiteDatabases

/// The tables of the record and their versions.
enum RecordSchema {
    /// "Hrth": marks the file as Hearth's in its header.
    static let applicationID: Int32 = 0x4872_7468
    /// The newest version this Hearth can read.
    static let version: Int32 = 5

    /// The steps that create and update the tables: step n makes version n.
    private static let steps = [first, second, third, fourth, fifth]

    /// Makes the steps that are missing, as one transaction: if it is interrupted, they are made at the next start. The
    /// tables tell which are missing; the number in the file's header (`PRAGMA user_version`), in which a flipped bit would
    /// not be noticed, is there for Hearths that are older than the record.
    ///
    /// - Parameter newest: The version to make, for tests.
    static func migrate(_ db: borrowing SQLiteConnection, to newest: Int32 = version) throws {
        let missing = steps[..<Int(newest)].dropFirst(try stepsMade(db))
        guard try !missing.isEmpty || version(db) != newest else { return }
        try db.transaction {
            for step in missing { try db.execute(step) }
            try db.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(newest)")
        }
    }

    /// How many steps the tables show.
    private static func stepsMade(_ db: borrowing SQLiteConnection) throws -> Int {
        func has(_ query: String) throws -> Bool { try db.first(query) { _ in true } ?? false }
        func hasTable(_ name: String) throws -> Bool { try has("SELECT 1 FROM sqlite_master WHERE name = '\(name)'") }
        guard try hasTable("profile") else { return 0 }
        guard try has("SELECT 1 FROM pragma_table_info('atom') WHERE name = 'epoch'") else { return 1 }
        guard try hasTable("history") else { return 2 }
        guard try hasTable("arrival") else { return 3 }
        return try hasTable("grdb_migrations") ? 4 : 5
    }

    private static func version(_ db: borrowing SQLiteConnection) throws -> Int32 {
        Int32(truncatingIfNeeded: try db.first("PRAGMA user_version") { $0.integer(0) } ?? 0)
    }

    /// Ids are blobs of 16 bytes; sequence numbers and stamps are 64-bit patterns. `mark` is the check value of a row,
    /// see ``RowChecksum``. There is an index only where rows are looked up.
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

    /// Adds the epoch in which an atom was written, 33 bytes; NULL for none, as for all atoms from before there were
    /// epochs. No row is rewritten: SQLite reads the new column as NULL where a row ends before it.
    private static let second = "ALTER TABLE atom ADD COLUMN epoch BLOB"

    /// Adds the history of each profile. `bytes` is the running total of the bytes of all changes up to the row, so
    /// that the rows over the limit are found without adding up.
    private static let third = """
        CREATE TABLE history (
            profile INTEGER NOT NULL, number INTEGER NOT NULL, bytes INTEGER NOT NULL, time INTEGER NOT NULL,
            origin INTEGER NOT NULL, writer BLOB NOT NULL, changes BLOB NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY (profile, number)
        ) STRICT, WITHOUT ROWID
        """

    /// Adds the atoms with which each profile came, in one row (``AtomList``): a row for each would cost ten times as much
    /// when many profiles come. Where `holds` is 1 they are atoms of the profile, as far as no row of `atom` has the same
    /// key. Profiles of former versions have no row here.
    private static let fourth = """
        CREATE TABLE arrival (
            profile INTEGER PRIMARY KEY, atoms BLOB NOT NULL, holds INTEGER NOT NULL, mark INTEGER NOT NULL
        ) STRICT
        """

    /// Removes the table in which a library noted the steps. A Hearth with that library would make them all again, and now says
    /// that the record is too new for it.
    private static let fifth = "DROP TABLE IF EXISTS grdb_migrations"

    /// Checks an existing file before anything is written to it: it must be Hearth's, undamaged, and not of a newer
    /// version.
    ///
    /// - Parameter isAtRest: Whether to leave out whether it is undamaged, which is found out by reading all of it.
    static func checkUntouched(_ path: String, isAtRest: Bool) throws {
        try checkHeader(path)
        do {
            try check(path, isAtRest: isAtRest)
        } catch let error as SQLiteError where error.kind == .needsRollback {
            // The process was killed while it created the file, before there was a write-ahead log. Only a writer may
            // undo that.
            try SQLiteDatabase(path: path).close()
            try check(path, isAtRest: isAtRest)
        }
    }

    /// A connection that writes nothing.
    static func reader(of path: String) throws(SQLiteError) -> SQLiteDatabase {
        try SQLiteDatabase(path: path, isReadOnly: true)
    }

    /// Checks the structure of the whole file: all of it is read. The content of rows is checked when they are read.
    static func checkStructure(_ db: borrowing SQLiteConnection, _ path: String) throws {
        try db.execute("PRAGMA cell_size_check = ON")
        let verdict = try db.first("PRAGMA quick_check(1)") { $0.text(0) ?? "no text" } ?? "ok"
        guard verdict == "ok" else { throw StorageFault.damaged(path, verdict) }
    }

    private static func check(_ path: String, isAtRest: Bool) throws {
        let database = try reader(of: path)
        defer { database.close() }
        try database.use { db in
            try db.snapshot { try check(db, path, isAtRest: isAtRest) }
        }
    }

    private static func check(_ db: borrowing SQLiteConnection, _ path: String, isAtRest: Bool) throws {
        try db.execute("PRAGMA cell_size_check = ON")
        let owner = try db.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try version(db)
        // Earlier builds made a table of this name first, in a transaction of its own. If they were killed after that, the
        // record still counts as new.
        let tables =
            try db.first("SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") { $0.integer(0) }
            ?? 0
        guard owner == applicationID || (owner == 0 && version == 0 && tables == 0) else {
            throw StorageFault(
                .record,
                "\(path) is another program's database, or its header is damaged; move it away, then start again")
        }
        guard version <= Self.version else { throw tooNew(path, version) }
        if !isAtRest { try checkStructure(db, path) }
    }

    /// Checks the version in the file's first bytes, before SQLite opens it: even for reading, SQLite would create
    /// files beside a database with a write-ahead log, and leave them there.
    private static func checkHeader(_ path: String) throws {
        guard let file = try? Descriptor(path, DiskFiles.safely) else { return }
        let header = try StorageFault.explaining("read", path) { () throws(FileFault) in try file.readStart(100) }
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else { return }
        func integer(at offset: Int) -> Int32 {
            Int32(bitPattern: header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        // The offsets of user_version and application_id (https://sqlite.org/fileformat2.html#the_database_header).
        let (version, owner) = (integer(at: 60), integer(at: 68))
        if owner == applicationID, version > Self.version { throw tooNew(path, version) }
    }

    private static func tooNew(_ path: String, _ version: Int32) -> StorageFault {
        StorageFault(
            .tooNew,
            "the record \(path) was written by a newer Hearth (version \(version), this one knows \(Self.version)); update Hearth here"
        )
    }
}
