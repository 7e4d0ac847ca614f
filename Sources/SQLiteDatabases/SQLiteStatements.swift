import CSQLite

/// The compiled statements of a connection, by their text. One that is in use is not among them, so a closure that runs the
/// same text again gets another.
final class SQLiteStatements {
    private let connection: OpaquePointer
    private var idle: [String: OpaquePointer] = [:]

    init(_ connection: OpaquePointer) { self.connection = connection }

    func take(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        if let statement = idle.removeValue(forKey: sql) { return statement }
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard let statement = compiled, code == SQLITE_OK else { throw SQLiteError(code, connection) }
        return statement
    }

    /// Ends the statement's answer and lets go of its values, which may be gone after this.
    func giveBack(_ statement: OpaquePointer, _ sql: String) {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        sqlite3_finalize(idle.updateValue(statement, forKey: sql))
    }

    func removeAll() {
        for statement in idle.values { sqlite3_finalize(statement) }
        idle = [:]
    }
}
