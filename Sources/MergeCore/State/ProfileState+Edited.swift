/// Keeps a container that this device edited while another removed it, if the state holds nothing of the edit.
extension ProfileState {
    /// Marks the containers that this device had edited while another device concurrently removed them.
    ///
    /// A removal hides the writes that its game had read, and a concurrent edit brings the container back. But if the
    /// removing game had written the same places before, its writes may have replaced the edit's atoms. Then nothing
    /// keeps the container alive. The mark is a removal atom at an edited place that names no write. It hides nothing,
    /// no other write can replace it, and a removal inside a container counts as an edit of the container around it.
    ///
    /// Elements of a set need the same help but have no such mark. If one device added an element, and another one
    /// concurrently added and removed it, the element is gone, because the causal length of the removal is larger. Two
    /// cases can be told apart. If an addition comes in for the first time, a removal that is known already had not
    /// read it. If an addition is known, and the sender of a removal is known not to have it, that removal had not read
    /// it. In both cases the element is added once more.
    ///
    /// - Parameters:
    ///   - own: The replica that wrote for this device.
    ///   - former: The state before the removals came in.
    ///   - joined: The result of the join that brought the removals.
    ///   - sender: The full vector of the sender, as it sent it, with what came in; `nil` if that is not known. The
    ///     vector of a delta is not enough: it covers only what this device lacked.
    ///   - context: Who writes the marks, and when.
    /// - Returns: The marks, one for each container that would be gone without one, and the elements added again.
    /// - Complexity: O(records) where removals came in that hide a container; else O(removals + changed).
    public mutating func markEdits(
        by own: ReplicaID, since former: ProfileState, _ joined: JoinResult, from sender: VersionVector?,
        _ context: WriteContext
    ) -> [KeyedAtom] {
        let outrun =
            joined.outrun
            + joined.changed.filter { key in
                guard let sender, key.kind == .set, let atom = former.live(key), AtomView(atom).isMember else {
                    return false
                }
                return !sender.covers(atom.dot) && live(key)?.epoch == atom.epoch
            }
        let again = Set(outrun).sorted().compactMap { key -> (AtomKey, AtomContent)? in
            guard case .membership(let length, let element)? = live(key)?.content, length % 2 == 0 else { return nil }
            return (key, .membership(after: length, adding: 1, element))
        }
        let hasRemovals = joined.changed.contains { $0.kind == .removal }
        let marks =
            hasRemovals ? marks(by: own, since: former, context) + wholeAgain(by: own, since: former, context) : []
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
            // An edit of an epoch that has ended is hidden everywhere, so it must not bring the container back.
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
