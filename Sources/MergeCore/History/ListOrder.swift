public import LosslessJSON

extension HistoryEntry {
    /// An array that is in another order than before: the elements of a set or a union, or the keys of a keyed array.
    public struct ListOrder: Hashable, Sendable {
        /// The place of the array.
        public let path: DocumentPath
        /// What it held before, in order.
        public let old: [JSONValue]
        /// What it held afterwards, in order.
        public let new: [JSONValue]

        /// Bytes of path and names as they are stored.
        var storedSize: Int { (old + new).reduce(path.encoded.count) { $0 + $1.jsonBytes.count + 1 } }
    }
}

extension ProfileState {
    /// The arrays that a step put into another order, in addition to its changes: an undo restores these orders as
    /// well. If the step took an array away whole, by a reset or with the container around it, the array's order was
    /// lost too: the undo writes that container again with its order. Call only for a step with changes, because a new
    /// order alone is no step.
    ///
    /// - Parameters:
    ///   - before: Reads the state before the step.
    ///   - after: Reads the state after it.
    ///   - paths: Places at which an order may have changed.
    ///   - isEpoch: Whether the step was a reset, a restore or an undo.
    ///   - bytes: The number of bytes that the orders may take.
    static func orders(
        from before: inout PlaceReader, to after: inout PlaceReader, at paths: Set<DocumentPath>, isEpoch: Bool,
        within bytes: Int
    ) -> [HistoryEntry.ListOrder] {
        var (orders, room): ([HistoryEntry.ListOrder], Int) = ([], bytes)
        for path in paths.sorted() where orders.count < HistoryEntry.changeLimit {
            let (old, new) = (before.names(at: path), after.names(at: path))
            guard old.count > 1 else { continue }
            let (held, holds) = (Set(old), Set(new))
            let isTurned = old.filter(holds.contains) != new.filter(held.contains)
            guard isTurned || new.isEmpty || isEpoch && !held.isSubset(of: holds) else { continue }
            let order = HistoryEntry.ListOrder(path: path, old: old, new: new)
            guard order.storedSize <= room else { continue }
            room -= order.storedSize
            orders.append(order)
        }
        return orders
    }

    /// Puts arrays back into the order that they had before a step. Elements that came later stay where they are among
    /// the others. If the order of an array was changed again since, the array stays as it is, unless `force` is true.
    mutating func undo(_ orders: [HistoryEntry.ListOrder], force: Bool, _ context: WriteContext) -> [KeyedAtom] {
        guard !orders.isEmpty else { return [] }
        var reader = PlaceReader(self)
        var batch = WriteBatch(state: self, context: context)
        for order in orders {
            let current = reader.names(at: order.path)
            let (held, holds) = (Set(order.old), Set(current))
            let left = order.new.filter(holds.contains)
            guard force || left == current.filter(Set(left).contains) else { continue }
            var former = order.old.filter(holds.contains)[...]
            let wanted = current.map { held.contains($0) ? former.removeFirst() : $0 }
            if wanted != current { batch.arrange(order.path, from: current, to: wanted) }
        }
        return write(batch.contents, as: context.replica)
    }
}

extension PlaceReader {
    /// The names of an array's elements, in order: the elements themselves, or the keys of keyed ones. Empty if there
    /// is no such array at the place.
    mutating func names(at path: DocumentPath) -> [JSONValue] {
        if let keys = elementKeys(at: path) { return keys }
        guard let (value, matcher) = array(at: path), case .array(let elements) = value else { return [] }
        guard case .keyed(let key) = matcher.arrayShape else { return elements }
        return elements.compactMap { $0[key] }
    }
}
