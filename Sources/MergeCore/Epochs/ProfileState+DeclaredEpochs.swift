/// How an epoch that came in begins to count at the places that it covers.
extension ProfileState {
    /// Notes the epoch that an atom declares. It is in force from ``beginDeclared(_:)`` on.
    mutating func declare(_ new: KeyedAtom, _ upcaster: Upcaster?) {
        guard let key = EpochKey(new.key.sub), case .epoch(let epoch) = new.atom.content else { return }
        epochRegistry.declare(key.id, epoch, upcaster, by: new.atom.dot)
    }

    /// Puts the epochs that came in in force at the places they cover, all of them in one walk over the places.
    ///
    /// - Parameter result: Collects the atoms that were shown there, and that the writer of the first epoch that hides
    ///   them had not seen.
    mutating func beginDeclared(_ result: inout JoinResult) {
        if epochRegistry.isSettled { return }
        let new = epochRegistry.settle()
        guard !new.isEmpty else { return }
        var begun = EpochPlaces()
        for epoch in new { begun.add(epoch) }
        for number in 0..<table.recordCount where table[number].place == AtomTable.none {
            let path = DocumentPath(encoded: Array(table.keyBytes(number)))
            guard let last = begun.largest(covering: path), case let inForce = epochRegistry.id(table[number].inForce),
                inForce.map({ $0 < last }) ?? true
            else { continue }
            let former = [number] + Array(table.parts(of: number))
            for record in former where table[record].sequence > 0 && !isHidden(record) {
                let floor = [inForce, epochRegistry.id(table[record].epoch)].compactMap { $0 }.max()
                let first = epochRegistry.declared(begun.smallest(covering: path, above: floor))
                guard let first, !first.epoch.hasSeen(dot(at: record)), let atom = keyedAtom(at: record) else {
                    continue
                }
                result.overridden.append(atom)
            }
            table.setInForce(number, epochRegistry.number(last))
        }
        removals.unsettle()
    }
}
