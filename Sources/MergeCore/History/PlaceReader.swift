import LosslessJSON

/// Reads what single places of one state show. The view of the whole state, which keyed elements need, is made once.
struct PlaceReader {
    private let state: ProfileState
    private var root: ViewNode?

    init(_ state: ProfileState) { self.state = state }

    /// The array at a place and the rules there; `nil` where its elements have no names. O(elements) for a set or a
    /// union, else as for a keyed element, see ``value(at:)``.
    mutating func array(at path: DocumentPath) -> (value: JSONValue, matcher: RuleMatcher)? {
        let matcher = (path.steps ?? []).reduce(RuleMatcher(state.rules)) { $0.stepping($1) }
        if matcher.rule.takesElements {
            return state.shown(path, matcher.rule)?.json.map { ($0, matcher) }
        }
        guard case .keyed = matcher.arrayShape else { return nil }
        var node = root ?? ViewNode(state)
        root = node
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            node = next
        }
        return node.build(matcher).map { ($0, matcher) }
    }

    /// The value that a place shows; `nil` for nothing. O(1) for a leaf, O(places) for the first keyed element.
    mutating func value(at path: DocumentPath) -> JSONValue? {
        guard path.endsInElement else { return state.shown(path, state.rules.rule(for: path))?.json }
        let root = self.root ?? ViewNode(state)
        self.root = root
        var (node, matcher) = (root, RuleMatcher(state.rules))
        var key: JSONString?
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            if case .keyed(let name) = matcher.arrayShape { key = name }
            (node, matcher) = (next, matcher.stepping(step))
        }
        guard let key, let value = node.build(matcher) else { return nil }
        return node.identified(value, by: key)
    }
}

extension DocumentPath {
    /// Whether it names a keyed element as a whole.
    var endsInElement: Bool { if case .element? = steps?.last { true } else { false } }
}
