import LosslessJSON

/// Reads what single places of one state show. The view of the whole state, which keyed elements need, is made once.
struct PlaceReader {
    private let state: ProfileState
    private var root: ViewNode?

    init(_ state: ProfileState) { self.state = state }

    /// O(1) for a leaf, O(places) for the first keyed element.
    mutating func value(at path: DocumentPath) -> JSONValue? {
        guard path.endsInElement else { return state.shown(path, state.rules.rule(for: path))?.json }
        let root = self.root ?? ViewNode(state)
        self.root = root
        var (node, cursor) = (root, RuleCursor(state.rules))
        var key: JSONString?
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            if case .keyed(let name) = cursor.arrayShape { key = name }
            (node, cursor) = (next, cursor.stepping(step))
        }
        guard let key, let value = node.build(cursor) else { return nil }
        return node.identified(value, by: key)
    }
}

extension DocumentPath {
    /// Whether it names a keyed element as a whole.
    var endsInElement: Bool { if case .element? = steps?.last { true } else { false } }
}
