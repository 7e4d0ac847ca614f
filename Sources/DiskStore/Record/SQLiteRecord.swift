#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import GRDB
package import ProfileKeeping
import Synchronization

/// Hearth's metadata in an SQLite database, `hearth.sqlite` in the home (0600).
///
/// Write-ahead log with `synchronous = FULL`, so that what was committed survives a power cut. Every row carries a
/// check value, so that a damaged disk is noticed instead of believed. One transaction a change. Calls block; a second
/// caller waits for the first.
package final class SQLiteRecord: ProfileKeeping.Record, Sendable {
    let queue: DatabaseQueue
    let known = Mutex(KnownRows())
    /// The database's path, for messages.
    package let path: String

    /// Opens the record of a home, or makes a new one where there is none.
    ///
    /// A damaged record, one of a newer Hearth and a file that is no record are refused and left as they are.
    ///
    /// - Parameter home: An existing folder whose ``HomeLock`` is held.
    package init(home: String) throws(StorageFault) {
        let path = home + "/hearth.sqlite"
        let size = try Self.prepareFile(path)
        do {
            if size > 0 { try RecordSchema.checkUntouched(path) }
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            try RecordSchema.migrator.migrate(queue)
            try queue.writeWithoutTransaction { db in
                // The library chooses NORMAL for a write-ahead log, which may lose the last commits at a power cut.
                try db.execute(sql: "PRAGMA synchronous = FULL")
            }
            // Where a file cannot be opened for writing just now, SQLite opens it for reading and says nothing. It would
            // stay so while the process runs. A write that changes nothing, and is taken back, tells.
            try queue.inTransaction(.immediate) { db in
                try db.execute(sql: "PRAGMA user_version = \(RecordSchema.version)")
                return .rollback
            }
        } catch {
            throw StorageFault(recordError: error, path)
        }
        self.path = path
        if size == 0 { try DiskFiles.sync(folder: home) }
    }

    /// Closes the database; every later call fails. Without it, the end of the process does as well.
    package func close() throws(StorageFault) {
        do {
            try queue.close()
        } catch {
            throw StorageFault(recordError: error, path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "hearth.record"
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            // KiB, negative by SQLite's convention. The record is read once at start and then mostly written.
            try db.execute(sql: "PRAGMA cache_size = -512")
            try db.execute(sql: "PRAGMA mmap_size = 0")
            try db.execute(sql: "PRAGMA cell_size_check = ON")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
            try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
        }
        return configuration
    }

    /// Makes the file for this user alone before SQLite sees it; returns its size.
    private static func prepareFile(_ path: String) throws(StorageFault) -> Int {
        if let status = try DiskFiles.status(path), status.st_mode & S_IFMT != S_IFREG {
            throw StorageFault(.record, "\(path) is no regular file; move it away, then start again")
        }
        guard let file = Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600),
            let status = file.status()
        else { throw StorageFault(code: errno, "open", path) }
        if status.st_mode & 0o077 != 0, fchmod(file.number, 0o600) != 0 {
            throw StorageFault(code: errno, "set the mode of", path)
        }
        return Int(status.st_size)
    }

    /// Runs database work and turns what it throws into sentences.
    func run<Value>(_ body: (Database) throws -> Value) throws(StorageFault) -> Value {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            throw StorageFault(recordError: error, path)
        }
    }
}
