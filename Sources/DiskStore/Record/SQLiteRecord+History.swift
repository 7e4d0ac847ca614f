package import MergeCore
package import ProfileKeeping
import SQLiteDatabases

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
        _ db: borrowing SQLiteConnection, _ id: Int64, of profile: ProfileID, below number: Int64, limit: Int
    ) throws -> [HistoryRow] {
        var steps: [HistoryRow] = []
        try db.each(
            """
            SELECT number, bytes, time, origin, writer, changes, mark FROM history
            WHERE profile = ? AND number < ? ORDER BY number DESC LIMIT ?
            """,
            [.integer(id), .integer(number), .integer(max(0, limit))]
        ) { row in
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

    func write(_ db: borrowing SQLiteConnection, _ id: Int64, _ step: HistoryRow) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO history (profile, number, bytes, time, origin, writer, changes, mark)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(id), .integer(step.mark.number), .integer(step.mark.bytes), .integer(step.time.milliseconds),
                .integer(step.origin.rawValue), .blob(step.writer.bytes), .blob(step.changes),
                .integer(historyChecksum(id, step)),
            ])
        // Old rows are deleted, the oldest first, until one is within the limits: mostly the first already is.
        while let oldest = try oldestStep(db, id), oldest != step.mark, step.outlives(oldest) {
            try db.run(
                "DELETE FROM history WHERE profile = ? AND number = ?", [.integer(id), .integer(oldest.number)])
            guard db.changedRows > 0 else { return }
        }
    }

    private func oldestStep(_ db: borrowing SQLiteConnection, _ id: Int64) throws -> HistoryMark? {
        try db.first("SELECT number, bytes FROM history WHERE profile = ? ORDER BY number LIMIT 1", [.integer(id)]) {
            HistoryMark(number: $0.integer(0), bytes: $0.integer(1))
        }
    }
}
