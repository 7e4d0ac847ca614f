import CSQLite

/// Why SQLite refused a call (https://sqlite.org/rescode.html).
package struct SQLiteError: Error, Hashable {
    /// What a caller can do something about.
    package enum Kind: Hashable, Sendable {
        case diskFull
        /// The file is damaged, or is no database.
        case damaged
        /// Another connection has it locked.
        case locked
        /// It cannot be opened, or not for writing.
        case denied
        /// A process was killed while it wrote without a write-ahead log; only a connection that may write can undo that.
        case needsRollback
        case interrupted
        case other
    }

    package let kind: Kind
    /// SQLite's own words, in English, with its number if it has none.
    package let message: String

    /// The database was closed before the call.
    static let closed = SQLiteError(kind: .other, message: "the database is closed")

    /// SQLite ended the transaction before the call, and told that to a call before it.
    static let transactionEnded = SQLiteError(kind: .other, message: "the transaction has ended")

    private init(kind: Kind, message: String) { (self.kind, self.message) = (kind, message) }

    /// - Parameters:
    ///   - code: An extended result code.
    ///   - connection: The connection that failed, which knows words for its last error.
    init(_ code: Int32, _ connection: OpaquePointer?) {
        kind = Kind(code)
        message = connection.flatMap(sqlite3_errmsg).map { String(cString: $0) } ?? "code \(code)"
    }
}

extension SQLiteError.Kind {
    /// - Parameter code: A result code, extended or not: the lower 8 bits of an extended one are the one that it extends.
    fileprivate init(_ code: Int32) {
        // The C macro is an expression, which Swift does not take over.
        let readOnlyRollback = SQLITE_READONLY | 3 << 8
        self =
            switch (code, code & 0xFF) {
            case (readOnlyRollback, _): .needsRollback
            case (_, SQLITE_FULL): .diskFull
            case (_, SQLITE_CORRUPT), (_, SQLITE_NOTADB): .damaged
            case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): .locked
            case (_, SQLITE_READONLY), (_, SQLITE_PERM), (_, SQLITE_CANTOPEN), (_, SQLITE_AUTH): .denied
            case (_, SQLITE_INTERRUPT): .interrupted
            default: .other
            }
    }
}
