import Libc
import LocalFiles
package import ProfileKeeping
import SQLiteDatabases
import Synchronization

/// The record: Hearth's own data in an SQLite database, `hearth.sqlite` in the home (0600).
///
/// It uses a write-ahead log with `synchronous = FULL`, so that a committed change survives a power cut. Every row has
/// a check value, so that damaged rows are noticed and not used. Each change is one transaction. Calls block; a second
/// caller waits for the first.
package final class SQLiteRecord: ProfileKeeping.Record {
    let database: SQLiteDatabase
    let known = Mutex(KnownRows())
    let tried = Atomic<UInt64>(0)
    /// Whether its structure was checked since it was opened, and nothing was found.
    let isChecked: Atomic<Bool>
    /// The database's path, for messages.
    package let path: String

    /// Opens the record of a home, or creates a new one where there is none.
    ///
    /// A damaged record, a record of a newer Hearth, and a file that is no record are refused and left unchanged, as far as
    /// that is looked at now.
    ///
    /// - Parameters:
    ///   - home: An existing folder whose ``HomeLock`` is held.
    ///   - isAtRest: Whether it was undamaged when it was closed, and nobody has written to it since
    ///     (``RecordIncarnation/isAtRest``). Then the whole file is not read now, and ``RecordCheck`` may do it later.
    package init(home: String, isAtRest: Bool = false) throws(StorageFault) {
        let path = home + "/hearth.sqlite"
        let size = try Self.prepareFile(path)
        isChecked = Atomic(!isAtRest)
        do {
            if size > 0 { try RecordSchema.checkUntouched(path, isAtRest: isAtRest) }
            database = try SQLiteDatabase(path: path, patience: 5_000)
            try database.use { db in
                try db.execute(Self.settings)
                try Self.useWriteAheadLog(db, path)
                try RecordSchema.migrate(db)
                // If a file cannot be opened for writing at this moment, SQLite silently opens it for reading, and it
                // stays so as long as the process runs. A write that changes nothing and is rolled back reveals that.
                try db.execute("BEGIN IMMEDIATE; PRAGMA user_version = \(RecordSchema.version); ROLLBACK")
            }
        } catch {
            throw StorageFault(recordError: error, path)
        }
        self.path = path
        if size == 0 { try DiskFiles.sync(folder: home) }
    }

    /// Closes the database; every later call fails. The end of the process closes it as well.
    package func close() { database.close() }

    /// The number of changes since it was opened. One that failed counts as well: its caller may go on with it in memory.
    package var changes: UInt64 { tried.load(ordering: .relaxed) }

    /// Frees memory that only makes later calls faster, unless somebody calls at this moment.
    package func freeMemory() { database.freeMemory() }

    /// The settings of the connection that writes. The size of the cache is in KiB, which SQLite marks by a negative number;
    /// the record is read once at the start and then mostly written.
    private static let settings = """
        PRAGMA cache_size = -512;
        PRAGMA mmap_size = 0;
        PRAGMA cell_size_check = ON;
        PRAGMA synchronous = FULL;
        PRAGMA wal_autocheckpoint = 1000;
        PRAGMA journal_size_limit = 4194304;
        """

    /// Where a file system has no shared memory, SQLite stays with another journal, and says so in its answer alone.
    private static func useWriteAheadLog(_ db: borrowing SQLiteConnection, _ path: String) throws {
        let mode = try db.first("PRAGMA journal_mode = WAL") { $0.text(0) } ?? nil
        guard mode == "wal" else {
            throw StorageFault(
                .record,
                "the file system of the record \(path) cannot hold a write-ahead log; move the home to a disk of this machine"
            )
        }
    }

    /// Creates the file with access for this user only, before SQLite opens it. Returns its size.
    private static func prepareFile(_ path: String) throws(StorageFault) -> Int {
        if let status = try DiskFiles.status(path), status.st_mode & S_IFMT != S_IFREG {
            throw StorageFault(.record, "\(path) is no regular file; move it away, then start again")
        }
        return try StorageFault.explaining("open", path) { () throws(FileFault) in
            let file = try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
            let status = try file.status()
            if status.st_mode & 0o077 != 0 { try file.setMode(0o600) }
            return Int(status.st_size)
        }
    }

    /// Runs database work and turns its errors into faults with sentences.
    func run<Value: Sendable>(
        _ body: (borrowing SQLiteConnection) throws -> Value
    ) throws(StorageFault) -> Value {
        do {
            return try database.use(body)
        } catch {
            throw StorageFault(recordError: error, path)
        }
    }
}
