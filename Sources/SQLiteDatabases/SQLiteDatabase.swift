import Synchronization

/// One connection to an SQLite database, for any thread. Calls block; a second caller waits for the first.
///
/// Calls do not nest: a closure that calls ``use(_:)`` of the same database waits for itself forever.
package final class SQLiteDatabase: Sendable {
    private let lock = Mutex(())
    /// Only ``use(_:)`` and ``close()`` touch it, and both hold `lock` for as long. A closure is lent it for one call and can
    /// keep no copy of it, because it has none (`~Copyable`); so no two threads ever use it at once.
    nonisolated(unsafe) private var connection: SQLiteConnection?
    private let interruption: SQLiteInterruption

    /// Opens a database, or creates it where there is no file. See ``SQLiteConnection/open(path:isReadOnly:patience:)``.
    package init(path: String, isReadOnly: Bool = false, patience: Int32 = 0) throws(SQLiteError) {
        let opened = try SQLiteConnection.open(path: path, isReadOnly: isReadOnly, patience: patience)
        interruption = opened.interruption
        connection = consume opened
    }

    /// Runs a closure with the connection, which nobody else uses meanwhile.
    ///
    /// - Throws: What the closure throws, and an ``SQLiteError`` where the database was closed.
    package func use<Value: Sendable>(_ body: (borrowing SQLiteConnection) throws -> Value) throws -> Value {
        try lock.withLock { _ in
            switch connection {
            case .some(let connection): try body(connection)
            case .none: throw SQLiteError.closed
            }
        }
    }

    /// ``use(_:)`` with all changes as one: all of them are stored, or none (``SQLiteConnection/transaction(_:)``).
    package func transaction<Value: Sendable>(
        _ body: (borrowing SQLiteConnection) throws -> Value
    ) throws -> Value {
        try use { connection in try connection.transaction { try body(connection) } }
    }

    /// Ends a call that is going on on another thread, which fails with ``SQLiteError/Kind/interrupted``. It never waits.
    package func interrupt() { interruption.interrupt() }

    /// Frees memory that only makes later calls faster. Does nothing while somebody uses the database.
    package func freeMemory() {
        _ = lock.withLockIfAvailable { _ in
            switch connection {
            case .some(let connection): connection.freeMemory()
            case .none: break
            }
        }
    }

    /// Closes the database once nobody uses it. Every later use fails.
    package func close() { lock.withLock { _ in connection = nil } }
}
