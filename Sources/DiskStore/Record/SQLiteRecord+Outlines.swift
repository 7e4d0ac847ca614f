package import MergeCore
package import ProfileKeeping
import SQLiteDatabases

/// Reads the outlines of all profiles. A table is gone through once, in its own order, so each page is read once however
/// many profiles there are.
extension SQLiteRecord {
    package func outlines() throws(StorageFault) -> [(profile: ProfileID, stored: StoredProfile)] {
        try run { db in
            var found = try profileRows(db)
            // A damaged table may hold a number twice.
            let numbers = Dictionary(found.indices.map { (found[$0].id, $0) }) { first, _ in first }
            try db.each("SELECT DISTINCT profile FROM lineage") { row in
                if let index = numbers[row.integer(0)] { found[index].stored.hasSnapshots = true }
            }
            try db.each("SELECT profile FROM intent") { row in
                let id = row.integer(0)
                guard let index = numbers[id] else { return }
                found[index].stored.intent = try intent(db, id, of: found[index].profile)
            }
            var replicas: [Int64: ReplicaID] = [:]
            // The order of the tables is given: else SQLite might look at every atom for those that are notes.
            try db.each(
                """
                SELECT \(Self.atomColumns), profile.id FROM profile NOT INDEXED
                CROSS JOIN atom ON atom.profile = profile.id AND \(Self.areNotes)
                """
            ) { row in
                let id = row.integer(8)
                guard let index = numbers[id] else { return }
                found[index].stored.atoms.append(try atom(db, row, id, of: found[index].profile, &replicas))
            }
            return found.map { ($0.profile, $0.stored) }.sorted { $0.0 < $1.0 }
        }
    }

    /// Whether a profile has a base history.
    func hasSnapshots(_ db: borrowing SQLiteConnection, _ id: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM lineage WHERE profile = ? LIMIT 1", [.integer(id)]) { _ in true } ?? false
    }

    private struct Outline {
        let id: Int64
        let profile: ProfileID
        var stored: StoredProfile
    }

    private func profileRows(_ db: borrowing SQLiteConnection) throws -> [Outline] {
        var found: [Outline] = []
        try db.each("SELECT id, replica, file, vector, mark, uuid FROM profile NOT INDEXED") { row in
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
