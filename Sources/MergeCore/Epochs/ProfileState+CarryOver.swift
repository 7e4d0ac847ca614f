import LosslessJSON

/// Carrying atoms over: writing them again in the epoch in force, if a later epoch hid them though it has nothing to say
/// of them. This is needed after a join of two profiles, and for atoms that lost to a step (``EpochID/init(after:)``).
extension ProfileState {
    /// Writes again what a join put aside because of a step alone.
    ///
    /// A game that had removed a container fills it again: its values get the epoch just above the one in force, so that
    /// they win over those that it had removed. They win over concurrent edits as well, of which the removal says
    /// nothing; such an edit is written again beside them, and the rule of its place decides. The start of a counter is
    /// no edit: a step takes off what was removed, and an earlier start written again would count that once more.
    ///
    /// - Parameters:
    ///   - overridden: The atoms that a join put aside.
    ///   - context: Who writes, and when.
    /// - Returns: The atoms that were written, and those that stay aside because of a reset, a restore or an undo.
    ///   Positions of elements are left out of the second list, because the player would not miss them.
    public mutating func carryOverBelowSteps(
        _ overridden: [KeyedAtom], _ context: WriteContext
    ) -> (written: [KeyedAtom], left: [KeyedAtom]) {
        let left = overridden.filter { $0.key.kind != .order && !hasLostToStep($0) }
        let edits = overridden.filter {
            hasLostToStep($0) && AtomForm($0.key.kind, isPart: !$0.key.sub.isEmpty) != .baseline
        }
        return (carryOver(edits, context), left)
    }

    /// Writes atoms again in the epoch in force, whoever wrote them. The contents are the same on every device, so
    /// every device may do it.
    ///
    /// - Parameter atoms: Atoms that a join put aside, in the version of the rules in force (``JoinResult/overridden``).
    public mutating func carryOver(_ atoms: [KeyedAtom], _ context: WriteContext) -> [KeyedAtom] {
        let own = Dot(replica: context.replica, sequence: vector.sequence(of: context.replica) &+ 1)
        let removed = atoms.filter { $0.key.kind == .removal }
        let kept = atoms.filter { atom in
            // If a removal is carried over too, the atoms that it covers come along: counters have spent.
            if removals.isEmpty || removed.contains(where: { $0.covers(atom) }) { return true }
            return !wasRemoved(atom)
        }
        func isAlone(_ removal: KeyedAtom) -> Bool {
            !kept.contains { $0.key.kind.keepsAlive && $0.isBeside(removal) } && !holds(beside: removal, own)
        }
        let contents = kept.map { atom in
            // An element that was edited concurrently with its removal is back. The membership is written as present,
            // because the removal does not go into the new epoch.
            if atom.key.kind == .element,
                removed.contains(where: { $0.key.path == atom.key.path && $0.covers(atom) && !isAlone($0) })
            {
                return (atom.key, atom.asMember.atom.content)
            }
            return (atom.key, atom.contentWithOrigin)
        }
        return write(contents.sorted { $0.0 < $1.0 }, as: context.replica)
    }

    /// Whether the replica of `own` has an earlier write in the container of a removal that the removal does not cover.
    private func holds(beside atom: KeyedAtom, _ own: Dot) -> Bool {
        guard case .removal(let removal) = atom.atom.content, case let path = atom.key.path,
            removal.seen[own.replica, default: 0] &+ 1 < own.sequence
        else { return false }
        return (0..<table.recordCount).contains { number in
            guard table[number].sequence > 0, table[number].kind.keepsAlive, case let dot = self.dot(at: number),
                dot.replica == own.replica, !removal.seen.covers(dot)
            else { return false }
            return DocumentPath(encoded: Array(table.keyBytes(table.placeNumber(of: number)))).isAtOrBelow(path)
        }
    }

    /// Whether a removal hides an atom.
    private func wasRemoved(_ atom: KeyedAtom) -> Bool {
        removals.hiding(atom.key.path).contains { $0.covers(atom.atom.dot) }
    }

    /// Whether an atom that was put aside has lost to a step: no epoch began at its place since it was written.
    private func hasLostToStep(_ atom: KeyedAtom) -> Bool {
        epochRegistry.known.allSatisfy { known in
            atom.atom.epoch.map { known.id <= $0 } == true || !known.covers(atom.key.path)
        }
    }
}

extension KeyedAtom {
    /// Whether this atom is a removal that covers another atom.
    fileprivate func covers(_ other: KeyedAtom) -> Bool {
        guard case .removal(let removal) = atom.content else { return false }
        return other.key.path.isAtOrBelow(key.path) && removal.seen.covers(other.atom.dot)
    }

    /// Whether this atom lies in the container of a removal that does not cover it.
    fileprivate func isBeside(_ removal: KeyedAtom) -> Bool {
        key.path.isAtOrBelow(removal.key.path) && !removal.covers(self)
    }
}
