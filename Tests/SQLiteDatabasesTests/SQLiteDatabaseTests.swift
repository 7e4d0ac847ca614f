import Dispatch
import Libc
import SQLiteDatabases
import Synchronization
import TestSupport
import Testing

/// A connection stores what it is given, and says why it cannot.
@Suite(.timeLimit(.minutes(2))) struct SQLiteDatabaseTests {
    private let folder = TemporaryFolder()
    private var file: String { folder["some.sqlite"] }

    private func table() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: file)
        try database.use { try $0.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value)") }
        return database
    }

    private func values(_ database: SQLiteDatabase) throws -> [SQLiteValue] {
        try database.use { db in
            var values: [SQLiteValue] = []
            try db.each("SELECT value FROM t ORDER BY id") { values += $0.values }
            return values
        }
    }

    @Test func everyValueComesBackAsItWas() throws {
        let all: [SQLiteValue] = [
            .null, .integer(0), .integer(.min), .integer(.max), .integer(UInt64.max), .real(0.1), .text(""),
            .text("a\0ü🦊"), .text(nil), .blob([]), .blob([0, 255, 0]), .blob([UInt8](repeating: 7, count: 100_000)),
        ]
        let database = try table()
        try database.use { db in for value in all { try db.run("INSERT INTO t (value) VALUES (?)", [value]) } }
        #expect(try values(database) == all)
        database.close()
        #expect(try values(SQLiteDatabase(path: file)) == all)
    }

    /// A column of another type than expected is nothing that could be taken for data.
    @Test func aColumnOfAnotherTypeIsNotBelieved() throws {
        try SQLiteDatabase(path: file).use { db in
            try db.each("SELECT 7, 'seven', x'07', NULL, 0.7") { row in
                #expect((0..<5).map { row.integer($0) } == [7, -1, -1, -1, -1])
                #expect((0..<5).map { row.text($0) } == [nil, "seven", nil, nil, nil])
                #expect((0..<5).map { row.bytes($0) } == [[], [], [7], [], []])
                #expect((0..<5).map { row.isNull($0) } == [false, false, false, true, false])
            }
        }
    }

    @Test func aTransactionIsAllOrNothing() throws {
        struct Stop: Error {}
        let database = try table()
        try database.transaction { try $0.run("INSERT INTO t (value) VALUES (?)", [.integer(1)]) }
        #expect(throws: Stop.self) {
            try database.transaction { db in
                try db.run("INSERT INTO t (value) VALUES (?)", [.integer(2)])
                throw Stop()
            }
        }
        #expect(throws: SQLiteError.self) {
            try database.transaction { db in
                try db.run("INSERT INTO t (value) VALUES (?)", [.integer(3)])
                try db.run("INSERT INTO t (id) VALUES (?)", [.integer(1)])
            }
        }
        #expect(try values(database) == [.integer(1)])
        // Nothing of the failures is left: not the lock, and not a statement half done.
        let other = try SQLiteDatabase(path: file)
        try other.transaction { try $0.run("INSERT INTO t (value) VALUES (?)", [.integer(4)]) }
        #expect(try values(database) == [.integer(1), .integer(4)])
    }

    /// SQLite ends a transaction by itself where the disk is full. Whoever passes over that must not store the rest.
    @Test func aTransactionThatHasEndedTakesNoMore() throws {
        let database = try table()
        try database.use { try $0.execute("PRAGMA max_page_count = 3") }
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { db in
                try db.run("INSERT INTO t (value) VALUES (?)", [.integer(1)])
                let large = SQLiteValue.blob([UInt8](repeating: 1, count: 100_000))
                try? db.run("INSERT INTO t (value) VALUES (?)", [large])
                try db.run("INSERT INTO t (value) VALUES (?)", [.integer(2)])
            }
        }
        #expect(error?.message == "the transaction has ended")
        #expect(try values(database) == [])
        try database.transaction { try $0.run("INSERT INTO t (value) VALUES (?)", [.integer(3)]) }
        #expect(try values(database) == [.integer(3)])
    }

    /// An answer that is left early, by an error or with its first row, holds up no writer, and the same statement starts anew.
    @Test func anAnswerThatIsLeftEarlyIsOver() throws {
        struct Stop: Error {}
        let database = try table()
        for number in 1...3 { try database.use { try $0.run("INSERT INTO t (value) VALUES (?)", [.integer(number)]) } }
        let text = "SELECT value FROM t WHERE id >= ? ORDER BY id"
        #expect(throws: Stop.self) {
            try database.use { db in try db.each(text, [.integer(1)]) { _ in throw Stop() } }
        }
        #expect(try database.use { try $0.first(text, [.integer(2)]) { $0.integer(0) } } == 2)
        try SQLiteDatabase(path: file).use { try $0.run("DELETE FROM t WHERE id = ?", [.integer(2)]) }
        #expect(try values(database) == [.integer(1), .integer(3)])
    }

    @Test func theSameStatementRunsWithinItself() throws {
        let database = try table()
        for number in 1...3 { try database.use { try $0.run("INSERT INTO t (value) VALUES (?)", [.integer(number)]) } }
        let pairs = try database.use { db in
            var pairs: [[Int64]] = []
            let text = "SELECT value FROM t WHERE value > ? ORDER BY id"
            try db.each(text, [.integer(0)]) { outer in
                try db.each(text, [.integer(outer.integer(0))]) { pairs.append([outer.integer(0), $0.integer(0)]) }
            }
            return pairs
        }
        #expect(pairs == [[1, 2], [1, 3], [2, 3]])
    }

    @Test func eachErrorIsOfItsKind() throws {
        let database = try table()
        func kind(_ body: () throws -> Void) -> SQLiteError.Kind? {
            #expect(throws: SQLiteError.self, performing: body)?.kind
        }
        #expect(kind { try database.use { try $0.execute("no statement") } } == .other)
        #expect(kind { _ = try SQLiteDatabase(path: folder["none.sqlite"], isReadOnly: true) } == .denied)
        #expect(kind { _ = try SQLiteDatabase(path: folder.path) } == .denied)
        let reader = try SQLiteDatabase(path: file, isReadOnly: true)
        #expect(kind { try reader.use { try $0.execute("DELETE FROM t") } } == .denied)
        let other = try SQLiteDatabase(path: file)
        try other.use { db in
            try db.execute("BEGIN IMMEDIATE")
            #expect(kind { try database.transaction { _ in } } == .locked)
            try db.execute("ROLLBACK")
        }
        try database.use { try $0.execute("PRAGMA max_page_count = 3") }
        let large = SQLiteValue.blob([UInt8](repeating: 1, count: 100_000))
        #expect(
            kind { try database.transaction { try $0.run("INSERT INTO t (value) VALUES (?)", [large]) } } == .diskFull)
        #expect(try values(database) == [])
        Disk.write([UInt8](repeating: 0x5A, count: 20_000), folder["rubbish"])
        #expect(kind { _ = try SQLiteDatabase(path: folder["rubbish"]) } == .damaged)
        database.close()
        #expect(kind { _ = try values(database) } == .other)
    }

    /// Ended from another thread, and then as usable as before.
    @Test func aCallIsEndedFromAnotherThread() throws {
        let database = try table()
        let isOver = Atomic(false)
        // An interruption that comes before the call begins ends nothing, so it is said again until the call is over.
        DispatchQueue.global().async {
            while !isOver.load(ordering: .acquiring) {
                database.interrupt()
                usleep(1_000)
            }
        }
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
        let error = #expect(throws: SQLiteError.self) {
            _ = try database.use { try $0.first(endless) { $0.integer(0) } }
        }
        isOver.store(true, ordering: .releasing)
        #expect(error?.kind == .interrupted)
        try database.use { try $0.run("INSERT INTO t (value) VALUES (?)", [.integer(1)]) }
        #expect(try values(database) == [.integer(1)])
        database.close()
        // What is closed has nothing to end.
        database.interrupt()
    }

    /// What is freed is what only made calls faster: also in the midst of an answer, where nothing is freed, it goes on.
    @Test func freeingMemoryChangesNothing() throws {
        let database = try table()
        let insert = "INSERT INTO t (value) VALUES (?)"
        for number in 1...3 {
            try database.use { try $0.run(insert, [.integer(number)]) }
            database.freeMemory()
        }
        let seen = try database.use { db in
            var seen: [Int64] = []
            try db.each("SELECT value FROM t ORDER BY id") { row in
                database.freeMemory()
                seen.append(row.integer(0))
            }
            return seen
        }
        #expect(seen == [1, 2, 3])
        database.close()
        database.freeMemory()
    }

    /// Two threads at once: each waits for the other, and nothing is lost.
    @Test func twoThreadsTakeTurns() async throws {
        let database = try table()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<200 {
                        #expect(throws: Never.self) {
                            try database.transaction {
                                try $0.run("INSERT INTO t (value) VALUES (?)", [.integer(number)])
                            }
                        }
                    }
                }
            }
        }
        #expect(try values(database).count == 800)
    }
}
