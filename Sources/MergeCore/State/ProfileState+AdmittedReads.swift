/// The check of the writes that a delta names. A removal, a value of a choice and a reset name the writes of others that
/// their writer had read. A device can only have read writes that exist. If a member named later ones, those writes would be
/// removed as soon as they are made.
extension ProfileState {
    /// The replicas whose writes in a delta name writes which nobody is known to have made, each with a sentence on one of
    /// them. What they wrote is left out; all else can be joined. O(atoms + named writes).
    ///
    /// - Parameters:
    ///   - offered: The vector that this state covers as well after the join.
    ///   - leftOut: How far a named replica has written whose writes are left out here, where a writer may have read them.
    package func writersBeyondReads(
        in atoms: [KeyedAtom], upTo offered: VersionVector,
        leftOut: (_ named: ReplicaID, _ writer: ReplicaID) -> UInt64 = { _, _ in 0 }
    ) -> [ReplicaID: String] {
        var found: [ReplicaID: String] = [:]
        // The closure below would keep a copy of this state, and the loop one of each atom.
        let vector = vector
        for index in atoms.indices where atoms[index].atom.form.namesReads {
            let atom = atoms[index]
            let writer = atom.atom.dot.replica
            if found[writer] != nil { continue }
            atom.atom.forEachRead { replica, sequence in
                guard sequence > max(vector.sequence(of: replica), offered.sequence(of: replica)),
                    sequence > leftOut(replica, writer)
                else { return }
                let place = atom.key.path.description.prefix(80)
                found[writer] = "a write at \(place) names writes of \(replica) up to \(sequence), of which nobody told"
            }
        }
        return found
    }
}

extension Atom {
    /// Takes each replica, with the number of its last write that this atom's writer had read.
    fileprivate func forEachRead(_ body: (ReplicaID, UInt64) -> Void) {
        guard form.namesReads else { return }
        switch content {
        case .removal(let removal):
            // A correct writer has seen all that is final; a lying one may name anything in either.
            removal.seen.forEach(body)
            removal.final.forEach(body)
        case .candidate(_, _, let replaced): replaced.forEach(body)
        case .epoch(let epoch): epoch.seen.forEach(body)
        default: break
        }
    }
}
