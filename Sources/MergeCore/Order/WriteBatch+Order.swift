import LosslessJSON

/// What a writer did to the order of an array.
extension WriteBatch {
    /// Gives positions to what is new or was moved, between its neighbours; what kept its place among the others keeps
    /// its position. Nothing is written where all of it stands in this order already.
    ///
    /// - Parameters:
    ///   - path: The array.
    ///   - before: The elements, or the keys of the elements, in the image that the writer had read.
    ///   - after: The same in what it wrote. Each comes once.
    ///   - stamp: That of a new position, given the one that stands.
    mutating func arrange(
        _ path: DocumentPath, from before: [JSONValue], to after: [JSONValue], stamp: (Atom?) -> Stamp
    ) {
        let names = after.map(\.canonicalBytes)
        let order = ArrayOrder(state, path)
        let isMovedApart = names.map { name in
            guard let standing = state.live(AtomKey(path, .order, sub: ArrayOrder.sub(name))) else { return false }
            return !context.base.covers(standing.dot) && standing.dot.replica != context.replica
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

    /// As a game's save does.
    mutating func arrange(_ path: DocumentPath, from before: [JSONValue], to after: [JSONValue]) {
        let now = Stamp.live(milliseconds: min(context.now, context.fileTime))
        let (base, replica) = (context.base, context.replica)
        arrange(path, from: before, to: after) { standing in
            guard let standing, case .position(let former, _) = standing.content,
                base.covers(standing.dot) || standing.dot.replica == replica
            else { return now }
            return max(now, former.successor)
        }
    }
}

extension ProfileState {
    /// Makes the arrays of a document stand as they stand there, whatever is known of their order.
    mutating func takeOrder(of document: JSONDocument, _ context: WriteContext) {
        let start = Stamp.adopted(milliseconds: context.fileTime)
        var batch = WriteBatch(state: self, context: context)
        for change in DocumentDiff(from: nil, to: document, rules: rules).orders {
            guard case .order(_, let after) = change.change else { continue }
            batch.arrange(change.path, from: [], to: after) { standing in
                guard case .position(let stamp, _)? = standing?.content else { return start }
                return max(start, stamp.successor)
            }
        }
        _ = write(batch.contents, as: context.replica)
    }
}
