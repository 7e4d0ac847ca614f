/// The atoms as they were written, with the paths in their stored form. Kept once a profile holds atoms of another
/// version than its rules describe. The table of what shows is made from these.
struct WrittenAtoms: Sendable {
    private(set) var table = AtomTable()
    private(set) var log = DotLog()

    /// Joins an atom; returns whether it is new.
    ///
    /// - Parameters:
    ///   - replica: The number of the replica in the atom's dot.
    ///   - epoch: The number of the atom's epoch.
    ///   - former: Reads the atom of a record in place.
    ///   - own: The dot that is being written. An atom with this dot is replaced in any case.
    mutating func join(
        _ new: KeyedAtom, replica: UInt32, epoch: UInt32, replacing own: Dot?,
        former: (AtomTable, AtomTable.Number) -> AtomView
    ) -> Bool {
        let number = table.make(new.key).number
        if table[number].sequence > 0 {
            let current = former(table, number)
            guard current.dot == own || current.precedes(AtomView(new.atom), new.key.kind) else { return false }
        }
        put(new.atom, at: number, replica: replica, epoch: epoch)
        return true
    }

    /// Stores an atom under its key, whatever the key holds now.
    mutating func put(_ new: KeyedAtom, replica: UInt32, epoch: UInt32) {
        put(new.atom, at: table.make(new.key).number, replica: replica, epoch: epoch)
    }

    private mutating func put(_ atom: Atom, at number: AtomTable.Number, replica: UInt32, epoch: UInt32) {
        let sequence = atom.dot.sequence
        table.set(number, atom.encoded, sequence: sequence, replica: replica, epoch: epoch)
        guard log.add(sequence, number, of: Int(replica)) else { return }
        let table = table
        log.tidy(Int(replica)) {
            table[Int($0.number)].sequence == $0.sequence && table[Int($0.number)].replica == replica
        }
    }
}
