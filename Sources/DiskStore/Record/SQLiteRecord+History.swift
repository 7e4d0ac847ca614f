import GRDB
package import MergeCore
package import ProfileKeeping

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads and writes the rows of the history.
extension SQLiteRecord {
    package func history(
        _ profile: ProfileID, below number: Int64, limit: Int
    ) throws(StorageFault) -> [HistoryRow] {
        try run { db in
            guard let found = try profileRow(db, profile) else { return [] }
            return try history(db, found.id, of: profile, below: number, limit: limit)
        }
    }

    func history(
        _ db: Database, _ id: Int64, of profile: ProfileID, below number: Int64, limit: Int
    ) throws -> [HistoryRow] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT number, bytes, time, origin, writer, changes, mark FROM history
                WHERE profile = ? AND number < ? ORDER BY number DESC LIMIT ?
                """)
        var steps: [HistoryRow] = []
        let rows = try Row.fetchCursor(statement, arguments: [id, number, max(0, limit)])
        while let row = try rows.next() {
            guard let origin = UInt8(exactly: row.integer(3)).flatMap(HistoryEntry.Origin.init(rawValue:)),
                let writer = ReplicaID(bytes: row.bytes(4))
            else { throw StorageFault.damaged(path, "a step in the history of profile \(profile)") }
            let step = HistoryRow(
                mark: HistoryMark(number: row.integer(0), bytes: row.integer(1)),
                time: WallTime(milliseconds: row.integer(2)),
                origin: origin, writer: writer, changes: row.bytes(5))
            guard row.integer(6) == historyChecksum(id, step) else {
                throw StorageFault.damaged(path, "a step in the history of profile \(profile)")
            }
            steps.append(step)
        }
        return steps
    }

    func write(_ db: Database, _ id: Int64, _ step: HistoryRow) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO history (profile, number, bytes, time, origin, writer, changes, mark)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id, step.mark.number, step.mark.bytes, step.time.milliseconds, Int64(step.origin.rawValue),
            Data(step.writer.bytes),
            Data(step.changes), historyChecksum(id, step),
        ])
        // Old rows are deleted, the oldest first, until one is within the limits: mostly the first already is.
        let oldest = try db.cachedStatement(
            sql: "SELECT number, bytes FROM history WHERE profile = ? ORDER BY number LIMIT 1")
        let remove = try db.cachedStatement(sql: "DELETE FROM history WHERE profile = ? AND number = ?")
        while let row = try Row.fetchOne(oldest, arguments: [id]) {
            let mark = HistoryMark(number: row.integer(0), bytes: row.integer(1))
            guard mark != step.mark, step.outlives(mark) else { return }
            try remove.execute(arguments: [id, mark.number])
            guard db.changesCount > 0 else { return }
        }
    }
}
