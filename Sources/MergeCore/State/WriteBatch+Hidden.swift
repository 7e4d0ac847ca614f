import LosslessJSON

/// A place cannot show both a leaf and a container: the newer one hides the older one, which stays in the state. If the
/// game removes the one that it saw, the hidden one must not show instead.
extension WriteBatch {
    /// Removes what a leaf hid below its place, when that leaf is removed. Writes that the game's snapshot did not
    /// cover stay.
    mutating func buryHidden(below path: DocumentPath) {
        guard state.hasBelow(path) else { return }
        let prefix = path.encoded + [UInt8(ascii: "/")]
        let below = state.places.filter { $0.kind == .latest && $0.path.encoded.starts(with: prefix) }
        let hidden = below.map(\.path).filter { place in
            guard let atom = state.visible(AtomKey(place, .latest)), case .register(_, .some) = atom.content else {
                return false
            }
            return isRead(atom)
        }
        if hidden.isEmpty { return }
        // Tombstones would not do: a place that is removed by itself leaves an empty container.
        removeForGood(path)
        buried.formUnion(hidden)
    }

    private func isRead(_ atom: Atom) -> Bool {
        context.base.covers(atom.dot) || atom.dot.replica == context.replica
    }

    /// Removes the leaves above a place that a container hid, when something in that container is removed. O(depth).
    mutating func buryHidden(above path: DocumentPath) {
        var ancestor = path.parent
        while let place = ancestor {
            bury(place) { !$0.isEmptyContainer }
            ancestor = place.parent
        }
    }

    private mutating func bury(_ path: DocumentPath, where matches: (JSONValue) -> Bool) {
        let key = AtomKey(path, .latest)
        guard let atom = state.live(key), case .register(_, let value?) = atom.content, matches(value),
            isRead(atom)
        else { return }
        put(key, .register(stamp(path), nil))
        buried.insert(path)
    }
}
