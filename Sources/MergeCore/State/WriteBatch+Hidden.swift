import LosslessJSON

/// A leaf and a container cannot show in one place: the newer one hides the older, which stays in the state. Where the
/// game removes what it saw, what was hidden must not come up in its stead.
extension WriteBatch {
    /// Buries what a leaf hid below it, once that leaf gives way. What the writer's image did not cover stays.
    mutating func buryHidden(below path: DocumentPath) {
        guard state.hasBelow(path) else { return }
        let prefix = path.encoded + [UInt8(ascii: "/")]
        let below = state.places.filter { $0.kind == .latest && $0.path.encoded.starts(with: prefix) }
        for place in below.map(\.path).sorted() { bury(place) { _ in true } }
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
            context.base.covers(atom.dot) || atom.dot.replica == context.replica
        else { return }
        put(key, .register(stamp(path), nil))
        buried.insert(path)
    }
}
