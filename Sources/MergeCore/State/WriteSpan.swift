/// A run of writes of one replica: those after one sequence number, up to another one.
package struct WriteSpan: Hashable, Sendable {
    package let replica: ReplicaID
    /// The sequence number after which the run begins.
    package let after: UInt64
    /// The last write of the run. By its history the writer finds out whether the run is of its own past.
    package let end: VersionVector.Entry

    /// The last sequence number of the run.
    package var last: UInt64 { end.sequence }

    /// - Returns: `nil` for a run without writes.
    package init?(_ replica: ReplicaID, after: UInt64, upTo end: VersionVector.Entry) {
        guard after < end.sequence else { return nil }
        (self.replica, self.after, self.end) = (replica, after, end)
    }

    /// Whether a write belongs to the run.
    package func contains(_ dot: Dot) -> Bool {
        dot.replica == replica && dot.sequence > after && dot.sequence <= last
    }

    /// The smallest run that holds the writes of both; the other one must be of the same replica. At equal ends the
    /// larger history stays, as in a vector.
    package func joined(with other: WriteSpan) -> WriteSpan {
        precondition(other.replica == replica, "two runs of different replicas are no run")
        let isLater = (other.end.sequence, other.end.history) > (end.sequence, end.history)
        return WriteSpan(replica, after: min(after, other.after), upTo: isLater ? other.end : end) ?? self
    }

    /// The atoms of the run among others, each once, in key order: what ``ProfileState/atoms(of:)`` gives in the state
    /// whose atoms they are. (A delta says some twice.)
    package func atoms(among atoms: [KeyedAtom]) -> [KeyedAtom] {
        var result: [KeyedAtom] = []
        for atom in atoms.filter({ contains($0.atom.dot) }).sorted(by: { $0.key < $1.key })
        where result.last?.key != atom.key {
            result.append(atom)
        }
        return result
    }
}

extension ProfileState {
    /// The atoms that a run of writes left in this state: those that nothing has replaced since. In their stored form,
    /// each once, in key order. O(changed · log).
    package func atoms(of span: WriteSpan) -> [KeyedAtom] {
        // Whoever covers all but the writes after the beginning of the run lacks the run and what came after it.
        var others = VersionVector(vector.entries.filter { $0.key != span.replica })
        if span.after > 0 { others.advance(span.replica, to: .init(sequence: span.after, history: 0)) }
        return span.atoms(among: delta(beyond: others))
    }
}
