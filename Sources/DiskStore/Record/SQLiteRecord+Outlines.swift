import GRDB
package import MergeCore
package import ProfileKeeping

/// Reads the outlines of all profiles. A table is gone through once, in its own order, so each page is read once however
/// many profiles there are.
extension SQLiteRecord {
    package func outlines() throws(StorageFault) -> [(profile: ProfileID, stored: StoredProfile)] {
        try run { db in
            var found = try profileRows(db)
            // A damaged table may hold a number twice.
            let numbers = Dictionary(found.indices.map { (found[$0].id, $0) }) { first, _ in first }
            for id in try Int64.fetchAll(db, sql: "SELECT DISTINCT profile FROM lineage") {
                if let index = numbers[id] { found[index].stored.hasSnapshots = true }
            }
            for id in try Int64.fetchAll(db, sql: "SELECT profile FROM intent") {
                guard let index = numbers[id] else { continue }
                found[index].stored.intent = try intent(db, id, of: found[index].profile)
            }
            var replicas: [Int64: ReplicaID] = [:]
            // The order of the tables is given: else SQLite might look at every atom for those that are notes.
            let notes = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(Self.atomColumns), profile.id FROM profile NOT INDEXED
                    CROSS JOIN atom ON atom.profile = profile.id AND \(Self.areNotes)
                    """)
            while let row = try notes.next() {
                let id = row.integer(8)
                guard let index = numbers[id] else { continue }
                found[index].stored.atoms.append(try atom(db, row, id, of: found[index].profile, &replicas))
            }
            return found.map { ($0.profile, $0.stored) }.sorted { $0.0 < $1.0 }
        }
    }

    /// Whether a profile has a base history.
    func hasSnapshots(_ db: Database, _ id: Int64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM lineage WHERE profile = ? LIMIT 1")
        return try Int.fetchOne(statement, arguments: [id]) != nil
    }

    private struct Outline {
        let id: Int64
        let profile: ProfileID
        var stored: StoredProfile
    }

    private func profileRows(_ db: Database) throws -> [Outline] {
        var found: [Outline] = []
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, replica, file, vector, mark, uuid FROM profile NOT INDEXED")
        while let row = try rows.next() {
            guard let profile = ProfileID(bytes: row.bytes(5)) else {
                throw StorageFault.damaged(path, "a profile's id")
            }
            let read = try profileRow(row, profile)
            let stored = StoredProfile(vector: read.vector, replica: read.replica, file: read.file)
            found.append(Outline(id: read.id, profile: profile, stored: stored))
        }
        return found
    }
}
