import MergeCore
package import ProfileKeeping
import SQLiteDatabases
import Synchronization

extension SQLiteRecord {
    package func commit(_ change: RecordChange) throws(StorageFault) {
        tried.add(1, ordering: .relaxed)
        var rows = KnownRows()
        do {
            try database.transaction { db in
                for profile in change.profiles { try write(db, profile, &rows) }
                for (key, value) in change.notes.changes { try write(db, note: Array(key.utf8), value) }
            }
            known.withLock { $0.take(rows) }
        } catch {
            throw StorageFault(recordError: error, path)
        }
    }

    private func write(
        _ db: borrowing SQLiteConnection, _ change: RecordChange.ProfileChange, _ rows: inout KnownRows
    ) throws {
        let (row, isNew) = try writeProfile(db, change, rows)
        rows.profiles[change.profile] = row
        let id = row.id
        if isNew {
            try write(db, id, arrival: change.atoms, &rows)
        } else {
            if !change.removed.isEmpty { try unpackArrival(db, id, of: change.profile, &rows) }
            try remove(db, id, change.removed)
            try write(db, id, change.atoms, &rows)
        }
        for row in change.baseHistory { try write(db, id, row) }
        if let first = change.baseHistoryFrom {
            try db.run("DELETE FROM lineage WHERE profile = ? AND number < ?", [.integer(id), .integer(first)])
        }
        switch change.intent {
        case .keep: break
        case .clear:
            try db.run("DELETE FROM intent WHERE profile = ?", [.integer(id)])
        case .set(let intent): try write(db, id, intent)
        }
        if let step = change.history { try write(db, id, step) }
    }

    /// Changes the given columns of a profile's row, or inserts the row. Returns the row as it is afterwards, and whether it
    /// is new.
    private func writeProfile(
        _ db: borrowing SQLiteConnection, _ change: RecordChange.ProfileChange, _ rows: KnownRows
    ) throws -> (row: ProfileRow, isNew: Bool) {
        let known = rows.profiles[change.profile] ?? known.withLock { $0.profiles[change.profile] }
        guard var row = try known ?? profileRow(db, change.profile) else {
            guard let replica = change.replica else {
                throw StorageFault(
                    .record, "profile \(change.profile) is not in the record \(path) and comes without its replica")
            }
            let last = try highest(db, "SELECT max(id) FROM profile")
            let row = ProfileRow(
                id: last + 1, replica: replica, file: change.file ?? nil, vector: change.vector ?? VersionVector())
            try db.run(
                "INSERT INTO profile (id, uuid, replica, file, vector, mark) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .integer(row.id), .blob(change.profile.bytes), .blob(row.replica.bytes), .text(row.file),
                    .blob(row.vector.blob), .integer(row.mark(change.profile)),
                ])
            return (row, true)
        }
        let former = row
        if let replica = change.replica { row.replica = replica }
        if let file = change.file { row.file = file }
        if let vector = change.vector { row.vector = vector }
        guard row != former else { return (row, false) }
        try db.run(
            "UPDATE profile SET replica = ?, file = ?, vector = ?, mark = ? WHERE id = ?",
            [
                .blob(row.replica.bytes), .text(row.file), .blob(row.vector.blob),
                .integer(row.mark(change.profile)), .integer(row.id),
            ])
        return (row, false)
    }

    /// The number that a statement answers; 0 for none.
    private func highest(_ db: borrowing SQLiteConnection, _ sql: String) throws -> Int64 {
        max(0, try db.first(sql) { $0.integer(0) } ?? 0)
    }

    private func remove(_ db: borrowing SQLiteConnection, _ id: Int64, _ keys: [AtomKey]) throws {
        for key in keys {
            try db.run(
                "DELETE FROM atom WHERE profile = ? AND path = ? AND kind = ? AND sub = ?",
                [.integer(id), .blob(key.path.encoded), .integer(key.kind.rawValue), .blob(key.sub)])
        }
    }

    func write(
        _ db: borrowing SQLiteConnection, _ id: Int64, _ atoms: [KeyedAtom], _ rows: inout KnownRows
    ) throws {
        for atom in atoms {
            let (key, dot) = (atom.key, atom.atom.dot)
            let replica = try rows.replicas[dot.replica] ?? number(db, dot.replica)
            rows.replicas[dot.replica] = replica
            let content = atom.atom.encoded
            let epoch = atom.atom.epoch?.bytes
            try db.run(
                """
                INSERT OR REPLACE INTO atom (profile, path, kind, sub, replica, sequence, content, mark, epoch)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(id), .blob(key.path.encoded), .integer(key.kind.rawValue), .blob(key.sub),
                    .integer(replica), .integer(dot.sequence), .blob(content),
                    .integer(atomChecksum(id, key, dot, content, epoch: epoch)), epoch.map { .blob($0) } ?? .null,
                ])
        }
    }

    /// The row number of a replica. A new replica gets a new row.
    private func number(_ db: borrowing SQLiteConnection, _ replica: ReplicaID) throws -> Int64 {
        if let number = known.withLock({ $0.replicas[replica] }) { return number }
        let found = try db.first("SELECT id, mark FROM replica WHERE uuid = ?", [.blob(replica.bytes)]) { row in
            let number = row.integer(0)
            guard row.integer(1) == replicaChecksum(number, replica) else {
                throw StorageFault.damaged(path, "replica \(replica)")
            }
            return number
        }
        if let found { return found }
        let number = 1 + (try highest(db, "SELECT max(id) FROM replica"))
        try db.run(
            "INSERT INTO replica (id, uuid, mark) VALUES (?, ?, ?)",
            [.integer(number), .blob(replica.bytes), .integer(replicaChecksum(number, replica))])
        return number
    }

    private func write(_ db: borrowing SQLiteConnection, _ id: Int64, _ row: BaseHistoryRow) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO lineage (profile, number, kind, vector, prefix, suffix, middle, mark)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(id), .integer(row.number), .integer(row.kind.rawValue), .blob(row.vector.blob),
                .integer(row.byteDiff.prefix), .integer(row.byteDiff.suffix), .blob(row.byteDiff.middle),
                .integer(baseHistoryChecksum(id, row)),
            ])
    }

    private func write(_ db: borrowing SQLiteConnection, _ id: Int64, _ intent: Intent) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO intent (profile, temporary, vector, prefix, suffix, middle, absent, mark)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(id), .text(intent.temporary), .blob(intent.vector.blob), .integer(intent.byteDiff.prefix),
                .integer(intent.byteDiff.suffix), .blob(intent.byteDiff.middle),
                .integer(intent.targetWasAbsent ? 1 : 0), .integer(intentChecksum(id, intent)),
            ])
    }

    private func write(_ db: borrowing SQLiteConnection, note key: [UInt8], _ value: [UInt8]?) throws {
        guard let value else { return try db.run("DELETE FROM note WHERE key = ?", [.blob(key)]) }
        try db.run(
            "INSERT OR REPLACE INTO note (key, value, mark) VALUES (?, ?, ?)",
            [.blob(key), .blob(value), .integer(noteChecksum(key, value))])
    }
}
