/// What a write may say of the writes of others. A removal, a value of a choice and a reset name what their writer had
/// read, and a device has read only what it covers. So whoever names more speaks of writes that do not exist yet: a member
/// could silence what the others are going to play.
extension ProfileState {
    /// The reason why a delta may not be joined that names writes which nobody is known to have made; `nil` where there is
    /// none. O(atoms).
    ///
    /// - Parameters:
    ///   - offered: The vector that this state covers as well after the join.
    ///   - isLeftOut: Whether the writes of a replica are left out here. Others may have read any number of them.
    package func refusalOfReads(
        in atoms: [KeyedAtom], upTo offered: VersionVector, isLeftOut: (ReplicaID) -> Bool = { _ in false }
    ) -> String? {
        for atom in atoms {
            for (replica, sequence) in atom.atom.reads
            where sequence > max(vector.sequence(of: replica), offered.sequence(of: replica)) && !isLeftOut(replica) {
                let place = atom.key.path.description.prefix(80)
                return "a write at \(place) names writes of \(replica) up to \(sequence), of which nobody told"
            }
        }
        return nil
    }
}

extension Atom {
    /// For each replica, the number of its last write that this atom's writer had read; empty for an atom that names none.
    fileprivate var reads: [ReplicaID: UInt64] {
        switch form {
        case .removal, .candidate, .epoch: break
        default: return [:]
        }
        switch content {
        // What is final is a part of what was seen, if the writer is correct.
        case .removal(let removal): return removal.seen.merging(removal.final, uniquingKeysWith: Swift.max)
        case .candidate(_, _, let replaced): return replaced
        case .epoch(let epoch): return epoch.seen
        default: return [:]
        }
    }
}
