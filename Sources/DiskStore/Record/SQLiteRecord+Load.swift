package import MergeCore
package import ProfileKeeping
import SQLiteDatabases

extension SQLiteRecord {
    package func profiles() throws(StorageFault) -> [ProfileID] {
        try run { db in
            var ids: [ProfileID] = []
            try db.each("SELECT uuid FROM profile NOT INDEXED") { row in
                guard let id = ProfileID(bytes: row.bytes(0)) else {
                    throw StorageFault.damaged(path, "a profile's id")
                }
                ids.append(id)
            }
            return ids.sorted()
        }
    }

    package func load(_ profile: ProfileID) throws(StorageFault) -> StoredProfile? {
        try run { db in
            guard let found = try profileRow(db, profile) else { return nil }
            return StoredProfile(
                atoms: try allAtoms(db, found.id, of: profile), vector: found.vector, replica: found.replica,
                file: found.file, baseHistory: try baseHistory(db, found.id, of: profile),
                intent: try intent(db, found.id, of: profile),
                history: try history(db, found.id, of: profile, below: .max, limit: 1).first?.mark ?? HistoryMark())
        }
    }

    package func load(_ profile: ProfileID, _ part: StoredPart) throws(StorageFault) -> StoredProfile? {
        try run { db in
            guard let found = try profileRow(db, profile) else { return nil }
            var stored = StoredProfile(vector: found.vector, replica: found.replica, file: found.file)
            switch part {
            case .outline:
                stored.atoms = try atoms(db, found.id, of: profile, areNotes: true)
                stored.intent = try intent(db, found.id, of: profile)
                stored.hasSnapshots = try hasSnapshots(db, found.id)
            case .state: stored.atoms = try allAtoms(db, found.id, of: profile)
            case .snapshots: stored.baseHistory = try baseHistory(db, found.id, of: profile)
            case .arrival: stored.atoms = try arrival(db, found.id, of: profile)?.atoms ?? []
            }
            return stored
        }
    }

    package func notes(prefix: String) throws(StorageFault) -> [String: [UInt8]] {
        try run { db in
            var notes: [String: [UInt8]] = [:]
            let start = Array(prefix.utf8)
            // No byte of UTF-8 is 0xFF, so what follows is after all keys with the prefix.
            try db.each(
                "SELECT key, value, mark FROM note WHERE key >= ? AND key < ?", [.blob(start), .blob(start + [0xFF])]
            ) { row in
                let (key, value) = (row.bytes(0), row.bytes(1))
                guard row.integer(2) == noteChecksum(key, value) else { throw StorageFault.damaged(path, "a note") }
                notes[String(decoding: key, as: UTF8.self)] = value
            }
            return notes
        }
    }

    // MARK: Rows

    /// One row of the table of profiles.
    struct ProfileRow: Equatable {
        var id: Int64
        var replica: ReplicaID
        var file: String?
        var vector: VersionVector

        func mark(_ profile: ProfileID) -> Int64 {
            RowChecksum.of { mark in
                mark.add(id)
                mark.add(profile.bytes)
                mark.add(replica.bytes)
                mark.add(file == nil ? 0 : 1 as Int64)
                mark.add(Array((file ?? "").utf8))
                mark.add(vector.blob)
            }
        }
    }

    func profileRow(_ db: borrowing SQLiteConnection, _ profile: ProfileID) throws -> ProfileRow? {
        try db.first("SELECT id, replica, file, vector, mark FROM profile WHERE uuid = ?", [.blob(profile.bytes)]) {
            try profileRow($0, profile)
        }
    }

    /// Reads a row with the columns `id`, `replica`, `file`, `vector` and `mark`.
    func profileRow(_ row: borrowing SQLiteRow, _ profile: ProfileID) throws -> ProfileRow {
        guard let replica = ReplicaID(bytes: row.bytes(1)), let vector = VersionVector(blob: row.bytes(3)) else {
            throw StorageFault.damaged(path, "profile \(profile)")
        }
        let found = ProfileRow(id: row.integer(0), replica: replica, file: row.text(2), vector: vector)
        guard row.integer(4) == found.mark(profile) else { throw StorageFault.damaged(path, "profile \(profile)") }
        return found
    }

    /// The atoms of a profile: those that have rows, and those with which it came.
    private func allAtoms(_ db: borrowing SQLiteConnection, _ id: Int64, of profile: ProfileID) throws -> [KeyedAtom] {
        let later = try atoms(db, id, of: profile)
        guard let arrival = try arrival(db, id, of: profile), arrival.holds else { return later }
        let keys = Set(later.map(\.key))
        return later + arrival.atoms.filter { !keys.contains($0.key) }
    }

    /// The atoms of a profile that have rows.
    ///
    /// - Parameter areNotes: Whether to read only Hearth's own notes: the paths that begin with a number sign.
    func atoms(
        _ db: borrowing SQLiteConnection, _ id: Int64, of profile: ProfileID, areNotes: Bool = false
    ) throws -> [KeyedAtom] {
        var atoms: [KeyedAtom] = []
        if !areNotes {
            let count = try db.first("SELECT count(*) FROM atom WHERE profile = ?", [.integer(id)]) { $0.integer(0) }
            atoms.reserveCapacity(Int(count ?? 0))
        }
        var replicas: [Int64: ReplicaID] = [:]
        let columns = "SELECT \(Self.atomColumns) FROM atom WHERE profile = ?"
        try db.each(areNotes ? "\(columns) AND \(Self.areNotes)" : columns, [.integer(id)]) { row in
            atoms.append(try atom(db, row, id, of: profile, &replicas))
        }
        return atoms
    }

    /// The columns that ``atom(_:_:_:of:_:)`` reads.
    static let atomColumns = "path, kind, sub, atom.replica, sequence, content, atom.mark, epoch"
    /// Selects Hearth's own notes among atoms.
    static let areNotes = "path >= X'23' AND path < X'24'"

    /// Reads one atom.
    ///
    /// - Parameter replicas: The replicas that were looked up, by their number.
    func atom(
        _ db: borrowing SQLiteConnection, _ row: borrowing SQLiteRow, _ id: Int64, of profile: ProfileID,
        _ replicas: inout [Int64: ReplicaID]
    ) throws -> KeyedAtom {
        let number = row.integer(3)
        let replica = try replicas[number] ?? self.replica(db, number)
        replicas[number] = replica
        let path = DocumentPath(encoded: row.bytes(0))
        guard let kind = UInt8(exactly: row.integer(1)) else {
            throw StorageFault.damaged(self.path, "profile \(profile), value at \(path)")
        }
        let key = AtomKey(path, AtomKind(rawValue: kind), sub: row.bytes(2))
        let dot = Dot(replica: replica, sequence: UInt64(bitPattern: row.integer(4)))
        let content = row.bytes(5)
        let stored = row.isNull(7) ? nil : row.bytes(7)
        let epoch = stored.flatMap { EpochID(bytes: $0) }
        guard row.integer(6) == atomChecksum(id, key, dot, content, epoch: stored),
            (epoch == nil) == (stored == nil)
        else { throw StorageFault.damaged(self.path, "profile \(profile), value at \(path)") }
        do {
            return KeyedAtom(key, try Atom(encoded: content, key: key, dot, epoch: epoch))
        } catch {
            throw StorageFault.damaged(self.path, "profile \(profile): \(error)")
        }
    }

    private func replica(_ db: borrowing SQLiteConnection, _ number: Int64) throws -> ReplicaID {
        let found = try db.first("SELECT uuid, mark FROM replica WHERE id = ?", [.integer(number)]) { row in
            ReplicaID(bytes: row.bytes(0)).flatMap { row.integer(1) == replicaChecksum(number, $0) ? $0 : nil }
        }
        guard let replica = found ?? nil else { throw StorageFault.damaged(path, "replica \(number)") }
        return replica
    }

    private func baseHistory(_ db: borrowing SQLiteConnection, _ id: Int64, of profile: ProfileID) throws
        -> [BaseHistoryRow]
    {
        var baseHistory: [BaseHistoryRow] = []
        try db.each(
            """
            SELECT number, kind, vector, prefix, suffix, middle, mark FROM lineage
            WHERE profile = ? ORDER BY number
            """,
            [.integer(id)]
        ) { row in
            guard let kind = UInt8(exactly: row.integer(1)).flatMap(BaseHistoryRow.Kind.init(rawValue:)),
                let vector = VersionVector(blob: row.bytes(2))
            else { throw StorageFault.damaged(path, "a snapshot of profile \(profile)") }
            let snapshot = BaseHistoryRow(
                number: row.integer(0), kind: kind, vector: vector,
                byteDiff: ByteDiff(prefix: Int(row.integer(3)), suffix: Int(row.integer(4)), middle: row.bytes(5)))
            guard row.integer(6) == baseHistoryChecksum(id, snapshot) else {
                throw StorageFault.damaged(path, "a snapshot of profile \(profile)")
            }
            baseHistory.append(snapshot)
        }
        return baseHistory
    }

    func intent(_ db: borrowing SQLiteConnection, _ id: Int64, of profile: ProfileID) throws -> Intent? {
        try db.first(
            "SELECT temporary, vector, prefix, suffix, middle, absent, mark FROM intent WHERE profile = ?",
            [.integer(id)]
        ) { row in
            guard let vector = VersionVector(blob: row.bytes(1)) else {
                throw StorageFault.damaged(path, "the intent of profile \(profile)")
            }
            let intent = Intent(
                temporary: row.text(0) ?? "",
                byteDiff: ByteDiff(prefix: Int(row.integer(2)), suffix: Int(row.integer(3)), middle: row.bytes(4)),
                vector: vector, targetWasAbsent: row.integer(5) != 0)
            guard row.integer(6) == intentChecksum(id, intent) else {
                throw StorageFault.damaged(path, "the intent of profile \(profile)")
            }
            return intent
        }
    }
}
