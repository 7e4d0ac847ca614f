import LosslessJSON

/// Writing the order of an array.
extension WriteBatch {
    /// Gives positions to elements that are new or were moved, between their neighbours. An element that kept its place
    /// among the others keeps its position. Nothing is written if all elements are in this order already.
    ///
    /// - Parameters:
    ///   - path: The array.
    ///   - before: The elements, or the keys of the elements, in the snapshot that the writer had read.
    ///   - after: The same in the document that it wrote. Each element comes once.
    ///   - stamp: Gives the stamp of a new position, from the atom of the present one.
    mutating func arrange(
        _ path: DocumentPath, from before: [JSONValue], to after: [JSONValue], stamp: (Atom?) -> Stamp
    ) {
        let names = after.map(\.canonicalBytes)
        let order = ArrayOrder(state, path)
        let isMovedApart = names.map { name in
            guard let current = state.live(AtomKey(path, .order, sub: ArrayOrder.sub(name))) else { return false }
            return !context.base.covers(current.dot) && current.dot.replica != context.replica
        }
        var layout = ArrayLayout(names.map { order.rank($0) }, isMovedApart: isMovedApart)
        if !before.isEmpty {
            let places = Dictionary(
                before.enumerated().map { ($0.element.canonicalBytes, $0.offset) },
                uniquingKeysWith: { first, _ in first })
            layout.keep(inOrderOf: names.map { places[$0] })
        }
        layout.keepFitting()
        for (index, position) in layout.newPositions() {
            let key = AtomKey(path, .order, sub: ArrayOrder.sub(names[index]))
            put(key, .position(stamp(state.live(key)), position))
        }
    }

    /// Writes a new order with the stamps of a game's save: newer than the present position, if the game knew that
    /// position.
    mutating func arrange(_ path: DocumentPath, from before: [JSONValue], to after: [JSONValue]) {
        let now = Stamp.live(min(context.now, context.fileTime))
        let (base, replica) = (context.base, context.replica)
        arrange(path, from: before, to: after) { current in
            guard let current, case .position(let former, _) = current.content,
                base.covers(current.dot) || current.dot.replica == replica
            else { return now }
            return max(now, former.successor)
        }
    }
}

extension ProfileState {
    /// Puts the arrays of the profile into the order that they have in a document, whatever order is known of them.
    mutating func takeOrder(of document: JSONDocument, _ context: WriteContext) {
        let start = Stamp.adopted(context.fileTime)
        var batch = WriteBatch(state: self, context: context)
        for change in DocumentDiff(from: nil, to: document, rules: rules).orders {
            guard case .order(_, let after) = change.change else { continue }
            batch.arrange(change.path, from: [], to: after) { current in
                guard case .position(let stamp, _)? = current?.content else { return start }
                return max(start, stamp.successor)
            }
        }
        _ = write(batch.contents, as: context.replica)
    }
}
