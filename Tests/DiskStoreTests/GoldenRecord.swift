import Glibc
import LosslessJSON
import MergeCore
import ProfileKeeping
import SQLiteDatabases
import TestSupport
import Testing

@testable import DiskStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the records under `Golden` hold, `record-1.sqlite` and on: one of each version there ever was, as Hearth wrote
/// it then. Never to be changed; a new version gets a file of its own.
enum GoldenRecord {
    static let versions = 1...Int(RecordSchema.version)

    static func path(_ version: Int) -> String {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return "\(folder)/Golden/record-\(version).sqlite"
    }

    // MARK: Content

    static let id = ProfileID(high: 0x1111_2222_3333_4444, low: 0x5555_6666_7777_8888)
    static let relayed = ProfileID(high: 0x1111_2222_3333_4444, low: 0x5555_6666_7777_9999)
    static let replica = ReplicaID(high: 0xAAAA_0000_0000_0001, low: 1)
    static let other = ReplicaID(high: 0xBBBB_0000_0000_0002, low: 2)
    static let vector = VersionVector([
        replica: .init(sequence: 7, history: 0x8000_0000_0000_0007), other: .init(sequence: 3, history: 3),
    ])
    static let notes: [String: [UInt8]] = ["device/name": Array("laptop".utf8), "empty": []]
    static let baseHistory = [
        BaseHistoryRow(
            number: 1, kind: .game, vector: VersionVector(), byteDiff: .whole(Array(#"{"coins": 100}"#.utf8))),
        BaseHistoryRow(
            number: 2, kind: .dropped, vector: vector,
            byteDiff: ByteDiff(prefix: 10, suffix: 1, middle: Array("200".utf8))),
        BaseHistoryRow(
            number: 3, kind: .projected, vector: vector,
            byteDiff: ByteDiff(prefix: 10, suffix: 1, middle: Array("300".utf8))),
    ]
    static let intent = Intent(
        temporary: ".hearth-7f", byteDiff: ByteDiff(prefix: 10, suffix: 1, middle: Array("400".utf8)), vector: vector,
        targetWasAbsent: false)

    static func stored(_ version: Int) -> StoredProfile {
        StoredProfile(
            atoms: atoms(version), vector: vector, replica: replica, file: "/saves/Ünï.json", baseHistory: baseHistory,
            intent: intent, history: version < 3 ? HistoryMark() : history[1].mark)
    }

    /// Epochs came with version 2.
    static func atoms(_ version: Int) -> [KeyedAtom] {
        func path(_ text: String) -> DocumentPath { DocumentPath(encoded: Array(text.utf8)) }
        let stamp = Stamp.live(1_700_000_000_000)
        let contents: [(AtomKey, AtomContent)] = [
            (AtomKey(.name, .latest), .register(stamp, "Universe RPG")),
            (AtomKey(path("/coins"), .counter), .baseline(ExactDecimal(text: "100")!)),
            (
                AtomKey(path("/coins"), .counter, sub: other.bytes),
                .tally(earned: ExactDecimal(text: "12.50")!, spent: ExactDecimal(3))
            ),
            (AtomKey(path("/flag"), .flag), .flag(true)),
            (AtomKey(path("/friends"), .set, sub: JSONValue("Bo").canonicalBytes), .membership(length: 3, "Bo")),
            (AtomKey(path("/gone"), .latest), .register(.adopted(5), JSONValue?.none)),
            (AtomKey(path("/later"), AtomKind(rawValue: 31)), .opaque([0, 255, 1])),
            (AtomKey(path("/level"), .max), .extremum(.number(JSONNumber(text: "1.50e+3")!))),
            (AtomKey(path("/themes"), .union, sub: JSONValue("night").canonicalBytes), .member("night")),
        ]
        let reset = EpochID(number: 4, kind: .reset, stamp: Stamp(rawValue: 0), origin: other)
        return contents.enumerated().map { index, content in
            let dot = Dot(replica: index % 2 == 0 ? replica : other, sequence: index == 3 ? .max : UInt64(index + 1))
            return KeyedAtom(content.0, Atom(content.1, dot, epoch: version > 1 && index == 7 ? reset : nil))
        }
    }

    /// History came with version 3.
    static let history = [
        HistoryRow(
            mark: HistoryMark(number: 1, bytes: 6), time: 1_700_000_000_000, origin: .adopt, writer: replica,
            changes: [1, 0, 0, 0]),
        HistoryRow(
            mark: HistoryMark(number: 2, bytes: 46), time: 1_700_000_060_000, origin: .merge, writer: other,
            changes: [1, 0, 1] + other.bytes + [1, 0, 6] + Array("/coins".utf8) + [0, 3, 4] + Array("100".utf8) + [4]
                + Array("300".utf8)),
    ]

    // MARK: Making

    /// Makes a record of a version in a folder: its steps of the schema, and the rows as Hearth wrote them then.
    static func make(_ version: Int, in folder: String) throws {
        let file = folder + "/hearth.sqlite"
        if version == RecordSchema.version {
            let record = try SQLiteRecord(home: folder)
            try fill(record, version)
            try finish(record.database)
            return
        }
        let database = try SQLiteDatabase(path: file)
        try database.use { db in
            try db.execute("PRAGMA journal_mode = WAL")
            try RecordSchema.migrate(db, to: Int32(version))
        }
        // Versions 1 to 3 wrote the same rows, but for the epoch of an atom and the history.
        let maker = TemporaryFolder()
        let newest = try SQLiteRecord(home: maker.path)
        try fill(newest, version)
        try newest.database.use { source in
            try database.use { db in
                let tables = ["profile", "replica", "atom", "lineage", "intent", "note", "history", "arrival"]
                for table in tables.prefix(version < 3 ? 6 : version < 4 ? 7 : 8) {
                    var names: [String] = []
                    try db.each("SELECT name FROM pragma_table_info('\(table)')") { names.append($0.text(0) ?? "") }
                    let list = names.joined(separator: ", ")
                    let marks = names.map { _ in "?" }.joined(separator: ", ")
                    try source.each("SELECT \(list) FROM \(table)") { row in
                        try db.run("INSERT INTO \(table) (\(list)) VALUES (\(marks))", row.values)
                    }
                }
            }
        }
        try finish(database)
    }

    /// Up to version 3, atoms had rows of their own from the beginning.
    private static func fill(_ record: SQLiteRecord, _ version: Int) throws {
        var first = change(version)
        if version < 4 {
            first.profiles[0].atoms = []
            try record.commit(first)
            var rest = RecordChange.ProfileChange(id)
            rest.atoms = atoms(version)
            try record.commit(RecordChange(rest))
        } else {
            try record.commit(first)
        }
        for step in version < 3 ? [] : history {
            var change = RecordChange.ProfileChange(id)
            change.history = step
            try record.commit(RecordChange(change))
        }
    }

    private static func change(_ version: Int) -> RecordChange {
        let stored = stored(version)
        var first = RecordChange.ProfileChange(id)
        first.atoms = stored.atoms
        first.vector = stored.vector
        first.replica = stored.replica
        first.file = .some(stored.file)
        first.baseHistory = stored.baseHistory
        first.intent = .set(intent)
        var second = RecordChange.ProfileChange(relayed)
        second.replica = other
        var change = RecordChange(first)
        change.profiles.append(second)
        change.notes = NoteChange(notes)
        return change
    }

    private static func finish(_ database: SQLiteDatabase) throws {
        try database.use { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        database.close()
    }

    /// Every row of every table as text, for comparison; the table in which earlier builds noted the steps of the schema is
    /// no part of it.
    static func rows(_ file: String) throws -> [String] {
        let database = try SQLiteDatabase(path: file)
        defer { database.close() }
        return try database.use { db in
            let ours = "tbl_name <> 'grdb_migrations'"
            var tables: [String] = []
            try db.each("SELECT name FROM sqlite_master WHERE type = 'table' AND \(ours) ORDER BY name") { row in
                tables.append(row.text(0) ?? "")
            }
            var lines: [String] = []
            try db.each("SELECT sql FROM sqlite_master WHERE sql NOT NULL AND \(ours) ORDER BY name") { row in
                lines.append(row.text(0) ?? "")
            }
            for table in tables {
                var rows: [String] = []
                try db.each("SELECT * FROM \(table)") { rows.append("\(table) \($0.values)") }
                lines += rows.sorted()
            }
            return lines
        }
    }

    /// What is in the record is what was put there.
    static func expectWhole(
        _ record: SQLiteRecord, _ version: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try record.profiles() == [id, relayed], sourceLocation: sourceLocation)
        let (stored, expected) = (try #require(try record.load(id)), stored(version))
        #expect(
            stored.atoms.sorted { $0.key < $1.key } == expected.atoms.sorted { $0.key < $1.key },
            sourceLocation: sourceLocation
        )
        #expect(stored.vector.entries == expected.vector.entries, sourceLocation: sourceLocation)
        #expect(stored.replica == expected.replica && stored.file == expected.file, sourceLocation: sourceLocation)
        #expect(
            stored.baseHistory == expected.baseHistory && stored.intent == expected.intent,
            sourceLocation: sourceLocation)
        #expect(stored.history == expected.history, sourceLocation: sourceLocation)
        #expect(try record.load(relayed)?.file == nil, sourceLocation: sourceLocation)
        #expect(try record.notes(prefix: "") == notes, sourceLocation: sourceLocation)
        let steps = version < 3 ? [] : Array(history.reversed())
        #expect(try record.history(id, below: .max, limit: 9) == steps, sourceLocation: sourceLocation)
        let found = try record.database.use { try $0.first("PRAGMA user_version") { $0.integer(0) } }
        #expect(found == Int64(RecordSchema.version), sourceLocation: sourceLocation)
    }
}
