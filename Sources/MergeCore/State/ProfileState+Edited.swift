/// Edits that left no atom behind.
extension ProfileState {
    /// Says again that this device edited a container which another one removed apart.
    ///
    /// A removal hides what its game had read, and an edit made apart brings the container back. But where the removing
    /// game had written the same places before, its writes may have taken the place of the edit, which then keeps
    /// nothing alive. The mark for it is a removal of an edited place that names no write: it hides nothing, no other
    /// write can take its place, and what is removed inside a container is an edit of what is around it.
    ///
    /// - Parameters:
    ///   - own: Who wrote for this device.
    ///   - former: What the state was before the removals came in.
    ///   - context: Who writes the marks, and when.
    /// - Returns: The marks, one for each container that is gone for want of one.
    /// - Complexity: O(records), where removals came in that nothing stands against; else O(removals).
    public mutating func markEdits(
        by own: ReplicaID, since former: ProfileState, _ context: WriteContext
    ) -> [KeyedAtom] {
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
            // What a reset or restore put aside brings nothing back.
            let epoch = former.epochRegistry.id(former.table[record].epoch)
            if let inForce = inForce(AtomKey(path, former.table[record].kind)), epoch.map({ $0 < inForce }) ?? true {
                continue
            }
            for container in gone where marks[container] == nil && around.isAtOrBelow(container) {
                if removals[container]?.seen.covers(dot) == false { marks[container] = path }
            }
        }
        return write(
            Set(marks.values).sorted().map { path in
                var mark = removals(at: path).first { $0.replica == context.replica }?.removal ?? Removal()
                if mark.number < .max { mark.number += 1 }
                return (AtomKey(path, .removal, sub: context.replica.bytes), .removal(mark))
            }, as: context.replica)
    }
}
