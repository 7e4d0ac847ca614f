import MergeCore
import ProfileKeeping
import SQLiteDatabases

/// Reads and writes the atoms with which profiles came.
extension SQLiteRecord {
    /// The atoms with which a profile came, and whether they still are atoms of the profile; `nil` where none are kept.
    func arrival(
        _ db: borrowing SQLiteConnection, _ id: Int64, of profile: ProfileID
    ) throws -> (atoms: [KeyedAtom], holds: Bool)? {
        try db.first("SELECT atoms, holds, mark FROM arrival WHERE profile = ?", [.integer(id)]) { row in
            let (bytes, holds) = (row.bytes(0), row.integer(1) != 0)
            guard row.integer(2) == arrivalChecksum(id, bytes, holds: holds), let atoms = try? AtomList.decode(bytes)
            else { throw StorageFault.damaged(path, "profile \(profile), the values with which it came") }
            return (atoms, holds)
        }
    }

    /// Writes the atoms with which a profile came. Hearth's own notes among them also get rows of their own, because they
    /// are read without the others.
    func write(_ db: borrowing SQLiteConnection, _ id: Int64, arrival atoms: [KeyedAtom], _ rows: inout KnownRows)
        throws
    {
        guard !atoms.isEmpty else { return }
        // Too many for one row: each gets a row of its own.
        guard let bytes = AtomList.encode(atoms) else { return try write(db, id, atoms, &rows) }
        try write(db, id, atoms.filter(\.key.path.isReserved), &rows)
        try write(db, id, arrival: bytes, holds: true)
    }

    /// Gives the atoms with which a profile came rows of their own, so that some can be removed.
    func unpackArrival(_ db: borrowing SQLiteConnection, _ id: Int64, of profile: ProfileID, _ rows: inout KnownRows)
        throws
    {
        guard let arrival = try arrival(db, id, of: profile), arrival.holds,
            let bytes = AtomList.encode(arrival.atoms)
        else { return }
        let later = Set(try self.atoms(db, id, of: profile).map(\.key))
        try write(db, id, arrival.atoms.filter { !later.contains($0.key) }, &rows)
        try write(db, id, arrival: bytes, holds: false)
    }

    private func write(_ db: borrowing SQLiteConnection, _ id: Int64, arrival bytes: [UInt8], holds: Bool) throws {
        try db.run(
            "INSERT OR REPLACE INTO arrival (profile, atoms, holds, mark) VALUES (?, ?, ?, ?)",
            [
                .integer(id), .blob(bytes), .integer(holds ? 1 : 0),
                .integer(arrivalChecksum(id, bytes, holds: holds)),
            ])
    }
}
