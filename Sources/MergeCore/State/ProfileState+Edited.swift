/// Edits that left no atom behind.
extension ProfileState {
    /// Says again that this device edited a container which another one removed apart.
    ///
    /// A removal hides what its game had read, and an edit made apart brings the container back. But where the removing
    /// game had written the same places before, its writes may have taken the place of the edit, which then keeps
    /// nothing alive. The mark for it is a removal of an edited place that names no write: it hides nothing, no other
    /// write can take its place, and what is removed inside a container is an edit of what is around it.
    ///
    /// The same for elements of a set, which have no such mark: one that somebody added, and another one added and removed
    /// apart, is gone by its length. What comes in for the first time was not read by a removal that is known already, and
    /// what is known was not read by a removal whose sender is known not to know it. Who can tell adds the element once
    /// more.
    ///
    /// - Parameters:
    ///   - own: Who wrote for this device.
    ///   - former: What the state was before the removals came in.
    ///   - joined: What came in.
    ///   - sender: All that whoever sent it stands for by its own words, what came in included; `nil` where that is not
    ///     known. The vector of a delta is not enough: that tells only what this device lacked.
    ///   - context: Who writes the marks, and when.
    /// - Returns: The marks, one for each container that is gone for want of one, and the elements.
    /// - Complexity: O(records), where removals came in that nothing stands against; else O(removals + changed).
    public mutating func markEdits(
        by own: ReplicaID, since former: ProfileState, _ joined: JoinResult, from sender: VersionVector?,
        _ context: WriteContext
    ) -> [KeyedAtom] {
        let outrun = joined.outrun + joined.changed.filter { key in
            guard let sender, key.kind == .set, let atom = former.live(key), AtomView(atom).isMember else {
                return false
            }
            return !sender.covers(atom.dot) && live(key)?.epoch == atom.epoch
        }
        let again = Set(outrun).sorted().compactMap { key -> (AtomKey, AtomContent)? in
            guard case .membership(let length, let element)? = live(key)?.content, length % 2 == 0, length < .max else {
                return nil
            }
            return (key, .membership(length: length + 1, element))
        }
        let hasRemovals = joined.changed.contains { $0.kind == .removal }
        let marks = hasRemovals ? marks(by: own, since: former, context) : []
        return write(marks + again, as: context.replica)
    }

    private func marks(
        by own: ReplicaID, since former: ProfileState, _ context: WriteContext
    ) -> [(AtomKey, AtomContent)] {
        guard let number = former.replicaNumbers[own] else { return [] }
        let gone = goneContainers.filter { path in former.removals[path]?.seen != removals[path]?.seen }
        guard !gone.isEmpty else { return [] }
        var marks: [DocumentPath: DocumentPath] = [:]
        for record in 0..<former.table.recordCount
        where former.table[record].sequence > 0 && former.table[record].replica == number {
            let place = former.table.placeNumber(of: record)
            guard former.table[record].kind.keepsAlive else { continue }
            let path = DocumentPath(encoded: Array(former.table.keyBytes(place)))
            guard let around = path.parent, !path.isReserved, case let dot = former.dot(at: record) else { continue }
            // An edit of an epoch that has ended shows nowhere, so it must not bring the container back.
            let epoch = former.epochRegistry.id(former.table[record].epoch)
            if let inForce = inForce(AtomKey(path, former.table[record].kind)), epoch.map({ $0 < inForce }) ?? true {
                continue
            }
            for container in gone where marks[container] == nil && around.isAtOrBelow(container) {
                if removals[container]?.seen.covers(dot) == false { marks[container] = path }
            }
        }
        return Set(marks.values).sorted().map { path in
            var mark = removals(at: path).first { $0.replica == context.replica }?.removal ?? Removal()
            if mark.number < .max { mark.number += 1 }
            return (AtomKey(path, .removal, sub: context.replica.bytes), .removal(mark))
        }
    }
}
