import LosslessJSON

/// A leaf and a container cannot show in one place: the newer one hides the older, which stays in the state. Where the
/// game removes what it saw, what was hidden must not come up in its stead.
extension WriteBatch {
    /// Buries what a leaf hid below it, once that leaf gives way. What the writer's image did not cover stays.
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
        // Not by tombstones: something removed by itself leaves an empty container.
        removeForGood(path)
        buried.formUnion(hidden)
    }

    private func isRead(_ atom: Atom) -> Bool {
        context.base.covers(atom.dot) || atom.dot.replica == context.replica
    }

    /// Buries leaves that a container hid above a place, once something in that container goes. O(depth).
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
