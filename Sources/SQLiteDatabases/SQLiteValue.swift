import CSQLite

/// A value that goes into a statement, or comes out of a row.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package static func integer(_ number: some FixedWidthInteger) -> Self {
        .integer(Int64(truncatingIfNeeded: number))
    }

    /// A text, or NULL for none.
    package static func text(_ text: String?) -> Self { text.map { .text($0) } ?? .null }
}

extension ArraySlice<SQLiteValue> {
    /// Calls a closure while a statement has these values. Their bytes are not copied: SQLite reads them where they are, so
    /// the statement must have others, or none, when the closure has returned.
    ///
    /// - Parameters:
    ///   - number: The number of the first value in the statement, from 1.
    ///   - error: Makes an error of a code of SQLite.
    func bound(
        to statement: OpaquePointer, from number: Int32, _ body: () throws -> Void,
        otherwise error: (Int32) -> SQLiteError
    ) throws {
        guard let value = first else { return try body() }
        func goOn(_ code: Int32) throws {
            guard code == SQLITE_OK else { throw error(code) }
            try dropFirst().bound(to: statement, from: number + 1, body, otherwise: error)
        }
        switch value {
        case .null: try goOn(sqlite3_bind_null(statement, number))
        case .integer(let integer): try goOn(sqlite3_bind_int64(statement, number, integer))
        case .real(let real): try goOn(sqlite3_bind_double(statement, number, real))
        case .text(let text):
            var text = text
            try text.withUTF8 { bytes in
                try bytes.withMemoryRebound(to: CChar.self) { characters in
                    try goOn(
                        sqlite3_bind_text64(
                            statement, number, characters.baseAddress, UInt64(characters.count), nil, UInt8(SQLITE_UTF8)
                        ))
                }
            }
        case .blob(let bytes):
            // No address would mean NULL.
            guard !bytes.isEmpty else { return try goOn(sqlite3_bind_zeroblob(statement, number, 0)) }
            try bytes.withUnsafeBytes { bytes in
                try goOn(sqlite3_bind_blob64(statement, number, bytes.baseAddress, UInt64(bytes.count), nil))
            }
        }
    }
}
