import LosslessJSON

/// Reads what single places of one state show. The view of the whole state, which keyed elements need, is made once.
struct PlaceReader {
    private let state: ProfileState
    private var root: ViewNode?

    init(_ state: ProfileState) { self.state = state }

    /// The array at a place and the rules there; `nil` where its elements have no names. O(elements) for a set or a
    /// union, else as for a keyed element, see ``value(at:)``.
    mutating func array(at path: DocumentPath) -> (value: JSONValue, cursor: RuleCursor)? {
        let cursor = (path.steps ?? []).reduce(RuleCursor(state.rules)) { $0.stepping($1) }
        if cursor.rule.takesElements {
            return state.shown(path, cursor.rule)?.json.map { ($0, cursor) }
        }
        guard case .keyed = cursor.arrayShape else { return nil }
        var node = root ?? ViewNode(state)
        root = node
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            node = next
        }
        return node.build(cursor).map { ($0, cursor) }
    }

    /// The value that a place shows; `nil` for nothing. O(1) for a leaf, O(places) for the first keyed element.
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
