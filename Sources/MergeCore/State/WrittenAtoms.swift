/// Atoms as they were written, by the paths that are stored and sent, once a profile holds some of another version than
/// its rules describe. What shows is made from these.
struct WrittenAtoms: Sendable {
    private(set) var table = AtomTable()
    private(set) var log = DotLog()

    /// Joins an atom; returns whether it is new.
    ///
    /// - Parameters:
    ///   - replica: The number of its dot's replica.
    ///   - epoch: The number of its epoch.
    ///   - former: The atom of a record, looked at where it lies.
    ///   - own: The dot that is being written: whatever stands under it gives way.
    mutating func join(
        _ new: KeyedAtom, replica: UInt32, epoch: UInt32, replacing own: Dot?,
        former: (AtomTable, AtomTable.Number) -> AtomView
    ) -> Bool {
        let number = table.make(new.key).number
        if table[number].sequence > 0 {
            let standing = former(table, number)
            guard standing.dot == own || standing.precedes(AtomView(new.atom), new.key.kind) else { return false }
        }
        put(new.atom, at: number, replica: replica, epoch: epoch)
        return true
    }

    /// Puts an atom in whatever stands there.
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
