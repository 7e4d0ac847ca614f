import CSQLite

/// A connection to an SQLite database, which one thread at a time uses. It is closed at the end of its life.
package struct SQLiteConnection: ~Copyable {
    private let handle: OpaquePointer
    private let statements: SQLiteStatements
    private let current = Transaction()
    let interruption: SQLiteInterruption

    /// Whether ``transaction(_:)`` is running a closure. The connection is only lent to whoever uses it, so what changes in it
    /// stands in an object of its own.
    private final class Transaction {
        var isOpen = false
    }

    /// Opens a database, or creates it where there is no file. A file that is no database is refused now.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether to write nothing, and to fail where there is no file.
    ///   - patience: How long a call waits while another program has the database locked, in milliseconds.
    static func open(path: String, isReadOnly: Bool, patience: Int32) throws(SQLiteError) -> SQLiteConnection {
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = opened, code == SQLITE_OK else {
            let error = SQLiteError(code, opened)
            sqlite3_close_v2(opened)
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, patience)
        let connection = SQLiteConnection(handle)
        // SQLite reads nothing before it is asked for something.
        try connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        return connection
    }

    private init(_ handle: OpaquePointer) {
        self.handle = handle
        statements = SQLiteStatements(handle)
        interruption = SQLiteInterruption(handle)
    }

    deinit {
        interruption.end()
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Frees the compiled statements, and the pages of the file that are in memory.
    func freeMemory() {
        statements.removeAll()
        sqlite3_db_release_memory(handle)
    }

    // MARK: Statements

    /// Runs statements without values, one after the other, and leaves out what they answer.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
    }

    /// Runs a statement that answers nothing.
    ///
    /// - Parameter sql: One statement, with a `?` for each of `values`. It is compiled once and kept, so there should be few.
    package func run(_ sql: String, _ values: [SQLiteValue]) throws {
        try each(sql, values) { _ in }
    }

    /// Calls a closure with each row of an answer, in order. Within it, other statements may run.
    package func each(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) throws -> Void
    ) throws {
        try rows(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// What a closure makes of the first row of an answer; `nil` where there is none.
    package func first<Value>(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) throws -> Value
    ) throws -> Value? {
        var found: Value?
        try rows(sql, values) { row in
            found = try body(row)
            return false
        }
        return found
    }

    /// How many rows the last statement that changed any has changed.
    package var changedRows: Int { Int(sqlite3_changes(handle)) }

    private func rows(
        _ sql: String, _ values: [SQLiteValue], _ goesOn: (borrowing SQLiteRow) throws -> Bool
    ) throws {
        // Where SQLite itself ended a transaction, for a full disk among others, nothing more of it may be stored.
        if current.isOpen, sqlite3_get_autocommit(handle) != 0 { throw SQLiteError.transactionEnded }
        let statement = try statements.take(sql)
        assert(sqlite3_bind_parameter_count(statement) == values.count, "\(values.count) values for: \(sql)")
        defer { statements.giveBack(statement, sql) }
        try values[...].bound(to: statement, from: 1) {
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW: guard try goesOn(SQLiteRow(statement)) else { return }
                case SQLITE_DONE: return
                case let code: throw SQLiteError(code, handle)
                }
            }
        } otherwise: {
            SQLiteError($0, handle)
        }
    }

    // MARK: Transactions

    /// Runs a closure as one transaction, which is kept if the closure returns, and is as if it had never been if anything
    /// fails. Nobody else can write meanwhile.
    package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try endTransaction()
        try execute("BEGIN IMMEDIATE")
        current.isOpen = true
        defer { current.isOpen = false }
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            try? endTransaction()
            throw error
        }
    }

    /// Takes back what was not committed. SQLite itself may have done so; where it cannot for want of memory, the next
    /// transaction does it.
    private func endTransaction() throws(SQLiteError) {
        if sqlite3_get_autocommit(handle) == 0 { try execute("ROLLBACK") }
    }

    /// Runs a closure that reads the database as it is at one moment, whatever is written meanwhile.
    package func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try endTransaction()
        try execute("BEGIN")
        defer { try? endTransaction() }
        return try body()
    }
}
