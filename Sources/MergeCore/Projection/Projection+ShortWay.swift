package import LosslessJSON

/// The short way of a projection: it only replaces values of leaves that are in the document already.
extension Projection {
    /// Plans the edits for the places of some keys. Returns false where a place needs the comparison of the whole
    /// document.
    mutating func replaceLeaves(_ keys: [AtomKey]) -> Bool {
        let version = state.upcasters.version?.place
        for path in Set(keys.map(\.path)).sorted() where !path.isReserved && path != version {
            if state.removals.above(path).contains(where: \.entry.mayTurn) { return false }
            guard let (node, matcher) = locate(path) else { return false }
            guard case .leaf(let rule) = DocumentShape(document, node, matcher) else { return false }
            guard let leaf = state.shown(path, rule, in: own), leaf.json?.isEmptyContainer == false else {
                return false
            }
            if case .value(let value, _) = leaf {
                if matcher.takesApart(value) || value.isContainer != document.value(node).isContainer { return false }
            }
            place(leaf, node, rule)
        }
        return !keys.contains { $0.path == .rules || [.element, .order, .removal].contains($0.kind) }
    }

    func locate(_ path: DocumentPath) -> (JSONNode, RuleMatcher)? {
        guard let steps = path.steps else { return nil }
        var node = document.root
        var matcher = RuleMatcher(state.rules)
        var elementKey: JSONString?
        for step in steps {
            guard matcher.allows(step) else { return nil }
            if let elementKey, step == .member(elementKey) { return nil }
            elementKey = nil
            switch (step, document.kind(node)) {
            case (.member(let name), .object):
                guard let next = document.member(node, named: name) else { return nil }
                node = next
            case (.index(let index), .array):
                guard let next = document.element(node, at: index) else { return nil }
                node = next
            case (.element(let id), .array):
                guard case .keyed(let key) = matcher.arrayShape,
                    let next = keyedElements(document, node, by: key)?.first(where: { $0.id == id })
                else { return nil }
                node = next.node
                elementKey = key
            default: return nil
            }
            matcher = matcher.stepping(step)
        }
        return (node, matcher)
    }
}

extension ProfileState {
    /// The node of a document at a place, by the rules of this state: an element of an array is found by its key. `nil`
    /// where the document has nothing there. O(depth, and the arrays on the way).
    package func node(at path: DocumentPath, in document: JSONDocument) -> JSONNode? {
        Projection(of: self, onto: document, touching: []).locate(path)?.0
    }
}
