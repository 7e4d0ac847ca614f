import LosslessJSON

/// Carrying atoms over: writing them again in the epoch in force, if an epoch hid them by mistake. This is needed after
/// a join of two profiles, and after a join with a peer that made a compaction.
///
/// A compaction (``EpochID/Kind/compaction``) is an epoch over the whole profile that holds the profile's own values.
/// Hearth makes none, but a peer may send one.
extension ProfileState {
    /// Writes again, in the epoch of a compaction, what the compaction's writer had not seen.
    ///
    /// - Parameters:
    ///   - overridden: The atoms that a join put aside.
    ///   - context: Who writes, and when.
    /// - Returns: The atoms that were written, and those that stay aside for another reason: a reset or a restore.
    ///   Positions of elements are left out of the second list, because the player would not miss them.
    public mutating func carryOverCompacted(
        _ overridden: [KeyedAtom], _ context: WriteContext
    ) -> (written: [KeyedAtom], left: [KeyedAtom]) {
        let left = overridden.filter { $0.key.kind != .order && !isOnlyCompacted($0) }
        return (carryOver(overridden.filter(isOnlyCompacted), context), left)
    }

    /// Writes atoms again in the epoch in force, whoever wrote them. The contents are the same on every device, so
    /// every device may do it.
    public mutating func carryOver(_ atoms: [KeyedAtom], _ context: WriteContext) -> [KeyedAtom] {
        let own = Dot(replica: context.replica, sequence: vector.sequence(of: context.replica) &+ 1)
        let removed = atoms.filter { $0.key.kind == .removal }
        let kept = atoms.filter { atom in
            // If a removal is carried over too, the atoms that it covers come along: counters have spent.
            if removals.isEmpty || removed.contains(where: { $0.covers(atom) }) { return true }
            return !upcasts(of: atom).allSatisfy(wasRemoved)
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
            return (atom.key, carried(atom, with: isAlone(atom) ? own : nil))
        }
        return write(contents.sorted { $0.0 < $1.0 }, as: context.replica)
    }

    /// Whether the replica of `own` has an earlier write in the container of a removal that the removal does not cover.
    private func holds(beside atom: KeyedAtom, _ own: Dot) -> Bool {
        guard case .removal(let removal) = atom.atom.content, let path = upcasts(of: atom).first?.key.path,
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

    /// The content with which an atom is carried over into the epoch in force. If a removal covers all that a
    /// compaction had seen, it also covers what the compaction wrote again, so it gets the compaction's dots. It also
    /// gets `own`, the write that carries it over, if that write holds nothing else of the container.
    private func carried(_ atom: KeyedAtom, with own: Dot?) -> AtomContent {
        guard case .removal(var removal) = atom.atom.content else { return atom.contentWithOrigin }
        for known in epochRegistry.known where known.id.kind == .compaction && removal.seen.covers(known.epoch.seen) {
            for dot in known.dots + (own.map { [$0] } ?? []) { removal.seen.join([dot.replica: dot.sequence]) }
        }
        return .removal(removal)
    }

    /// Whether only compactions began at an atom's place since the atom was written.
    private func isOnlyCompacted(_ atom: KeyedAtom) -> Bool {
        epochRegistry.known.allSatisfy { known in
            if let epoch = atom.atom.epoch, known.id <= epoch { return true }
            return known.id.kind == .compaction || !known.covers(atom.key.path)
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
