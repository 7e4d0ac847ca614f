public import LosslessJSON

extension HistoryEntry {
    /// An array that stands in another order than before: the elements of a set or a union, the keys of a keyed one.
    public struct ListOrder: Hashable, Sendable {
        /// The array.
        public let path: DocumentPath
        /// What it held before, in order.
        public let old: [JSONValue]
        /// What it held afterwards, in order.
        public let new: [JSONValue]
    }
}

extension ProfileState {
    /// The arrays that a step turned round, beside what it changed: an undo puts that back as well. Where a list was
    /// taken away whole, as by a reset or with the container around it, its order went with it: the undo writes that
    /// container anew. None where nothing else changed, for an order alone is no step.
    ///
    /// - Parameters:
    ///   - paths: Places at which an order may have changed.
    ///   - isEpoch: Whether the step was a reset, a restore or an undo.
    ///   - bytes: How many bytes there is room for.
    func orders(
        since former: ProfileState, at paths: Set<DocumentPath>, isEpoch: Bool, within bytes: Int
    ) -> [HistoryEntry.ListOrder] {
        var (before, after) = (PlaceReader(former), PlaceReader(self))
        var (orders, room): ([HistoryEntry.ListOrder], Int) = ([], bytes)
        for path in paths.sorted() where orders.count < HistoryEntry.changeLimit {
            let (old, new) = (before.names(at: path), after.names(at: path))
            guard old.count > 1 else { continue }
            let (held, holds) = (Set(old), Set(new))
            let isTurned = old.filter(holds.contains) != new.filter(held.contains)
            guard isTurned || new.isEmpty || isEpoch && !held.isSubset(of: holds) else { continue }
            let size = (old + new).reduce(path.encoded.count) { $0 + $1.jsonBytes.count + 1 }
            guard size <= room else { continue }
            room -= size
            orders.append(HistoryEntry.ListOrder(path: path, old: old, new: new))
        }
        return orders
    }

    /// Puts arrays back into the order that they stood in before a step. What came later stays where it is among the
    /// others, and what was turned round again since stays as well, unless `force` says otherwise.
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
    /// What tells the elements of an array apart, in order; nothing where no such array stands.
    mutating func names(at path: DocumentPath) -> [JSONValue] {
        guard let (value, cursor) = array(at: path), case .array(let elements) = value else { return [] }
        guard case .keyed(let key) = cursor.arrayShape else { return elements }
        return elements.compactMap { $0[key] }
    }
}
