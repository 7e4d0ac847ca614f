import GRDB
import MergeCore
package import ProfileKeeping
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQLiteRecord {
    package func commit(_ change: RecordChange) throws(StorageFault) {
        var rows = KnownRows()
        do {
            try queue.inTransaction(.immediate) { db in
                for profile in change.profiles { try write(db, profile, &rows) }
                for (key, value) in change.notes.changes { try write(db, note: Array(key.utf8), value) }
                return .commit
            }
            known.withLock { $0.take(rows) }
        } catch {
            throw StorageFault(recordError: error, path)
        }
    }

    private func write(
        _ db: Database, _ change: RecordChange.ProfileChange, _ rows: inout KnownRows
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
            let statement = try db.cachedStatement(sql: "DELETE FROM lineage WHERE profile = ? AND number < ?")
            try statement.execute(arguments: [id, first])
        }
        switch change.intent {
        case .keep: break
        case .clear:
            try db.cachedStatement(sql: "DELETE FROM intent WHERE profile = ?").execute(arguments: [id])
        case .set(let intent): try write(db, id, intent)
        }
        if let step = change.history { try write(db, id, step) }
    }

    /// Changes the given columns of a profile's row, or inserts the row. Returns the row as it is afterwards, and whether it
    /// is new.
    private func writeProfile(
        _ db: Database, _ change: RecordChange.ProfileChange, _ rows: KnownRows
    ) throws -> (row: ProfileRow, isNew: Bool) {
        let known = rows.profiles[change.profile] ?? known.withLock { $0.profiles[change.profile] }
        guard var row = try known ?? profileRow(db, change.profile) else {
            guard let replica = change.replica else {
                throw StorageFault(
                    .record, "profile \(change.profile) is not in the record \(path) and comes without its replica")
            }
            let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM profile")) ?? 0
            let row = ProfileRow(
                id: last + 1, replica: replica, file: change.file ?? nil, vector: change.vector ?? VersionVector())
            let statement = try db.cachedStatement(
                sql: "INSERT INTO profile (id, uuid, replica, file, vector, mark) VALUES (?, ?, ?, ?, ?, ?)")
            try statement.execute(arguments: [
                row.id, Data(change.profile.bytes), Data(row.replica.bytes), row.file, Data(row.vector.blob),
                row.mark(change.profile),
            ])
            return (row, true)
        }
        let former = row
        if let replica = change.replica { row.replica = replica }
        if let file = change.file { row.file = file }
        if let vector = change.vector { row.vector = vector }
        guard row != former else { return (row, false) }
        let statement = try db.cachedStatement(
            sql: "UPDATE profile SET replica = ?, file = ?, vector = ?, mark = ? WHERE id = ?")
        try statement.execute(arguments: [
            Data(row.replica.bytes), row.file, Data(row.vector.blob), row.mark(change.profile), row.id,
        ])
        return (row, false)
    }

    private func remove(_ db: Database, _ id: Int64, _ keys: [AtomKey]) throws {
        guard !keys.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: "DELETE FROM atom WHERE profile = ? AND path = ? AND kind = ? AND sub = ?")
        for key in keys {
            try statement.execute(arguments: [
                id, Data(key.path.encoded), Int64(key.kind.rawValue), Data(key.sub),
            ])
        }
    }

    func write(
        _ db: Database, _ id: Int64, _ atoms: [KeyedAtom], _ rows: inout KnownRows
    ) throws {
        guard !atoms.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO atom (profile, path, kind, sub, replica, sequence, content, mark, epoch)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for atom in atoms {
            let (key, dot) = (atom.key, atom.atom.dot)
            let replica = try rows.replicas[dot.replica] ?? number(db, dot.replica)
            rows.replicas[dot.replica] = replica
            let content = atom.atom.encoded
            let epoch = atom.atom.epoch?.bytes
            try statement.execute(arguments: [
                id, Data(key.path.encoded), Int64(key.kind.rawValue), Data(key.sub), replica,
                Int64(bitPattern: dot.sequence), Data(content), atomChecksum(id, key, dot, content, epoch: epoch),
                epoch.map { Data($0) },
            ])
        }
    }

    /// The row number of a replica. A new replica gets a new row.
    private func number(_ db: Database, _ replica: ReplicaID) throws -> Int64 {
        if let number = known.withLock({ $0.replicas[replica] }) { return number }
        let find = try db.cachedStatement(sql: "SELECT id, mark FROM replica WHERE uuid = ?")
        if let row = try Row.fetchOne(find, arguments: [Data(replica.bytes)]) {
            let number = row.integer(0)
            guard row.integer(1) == replicaChecksum(number, replica) else {
                throw StorageFault.damaged(path, "replica \(replica)")
            }
            return number
        }
        let number = 1 + (try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM replica")) ?? 0)
        try db.cachedStatement(sql: "INSERT INTO replica (id, uuid, mark) VALUES (?, ?, ?)")
            .execute(arguments: [number, Data(replica.bytes), replicaChecksum(number, replica)])
        return number
    }

    private func write(_ db: Database, _ id: Int64, _ row: BaseHistoryRow) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO lineage (profile, number, kind, vector, prefix, suffix, middle, mark)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, row.number, Int64(row.kind.rawValue), Data(row.vector.blob), row.byteDiff.prefix, row.byteDiff.suffix,
            Data(row.byteDiff.middle), baseHistoryChecksum(id, row),
        ])
    }

    private func write(_ db: Database, _ id: Int64, _ intent: Intent) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO intent (profile, temporary, vector, prefix, suffix, middle, absent, mark)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, intent.temporary, Data(intent.vector.blob), intent.byteDiff.prefix, intent.byteDiff.suffix,
            Data(intent.byteDiff.middle), intent.targetWasAbsent ? 1 : 0, intentChecksum(id, intent),
        ])
    }

    private func write(_ db: Database, note key: [UInt8], _ value: [UInt8]?) throws {
        guard let value else {
            try db.cachedStatement(sql: "DELETE FROM note WHERE key = ?").execute(arguments: [Data(key)])
            return
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO note (key, value, mark) VALUES (?, ?, ?)")
            .execute(arguments: [Data(key), Data(value), noteChecksum(key, value)])
    }
}
