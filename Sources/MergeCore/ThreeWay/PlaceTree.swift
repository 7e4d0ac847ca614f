import LosslessJSON

/// A tree of some places of a document. It reads all of them in one walk through the document.
struct PlaceTree {
    private var path: DocumentPath?
    private var children: [PathStep: PlaceTree] = [:]

    init(_ paths: some Sequence<DocumentPath>) {
        for path in paths {
            guard let steps = path.steps else { continue }
            insert(steps[...], path)
        }
    }

    private init() {}

    private mutating func insert(_ steps: ArraySlice<PathStep>, _ path: DocumentPath) {
        guard let step = steps.first else {
            self.path = path
            return
        }
        children[step, default: PlaceTree()].insert(steps.dropFirst(), path)
    }

    /// The values of a document at these places; places that it lacks are left out. O(values beside and below the
    /// places).
    func values(of document: JSONDocument, _ rules: RuleSet) -> [DocumentPath: JSONValue] {
        nodes(of: document, rules).mapValues { document.value($0) }
    }

    /// The nodes of a document at these places; places that it lacks are left out. O(values beside the places).
    func nodes(of document: JSONDocument, _ rules: RuleSet) -> [DocumentPath: JSONNode] {
        var result: [DocumentPath: JSONNode] = [:]
        collect(document, document.root, RuleMatcher(rules), &result)
        return result
    }

    private func collect(
        _ document: JSONDocument,
        _ node: JSONNode,
        _ matcher: RuleMatcher,
        _ result: inout [DocumentPath: JSONNode]
    ) {
        if let path { result[path] = node }
        guard !children.isEmpty else { return }
        func descend(_ step: PathStep, _ node: JSONNode) {
            children[step]?.collect(document, node, matcher.stepping(step), &result)
        }
        switch (document.kind(node), matcher.arrayShape) {
        case (.object, _): for (name, member) in document.members(node) { descend(.member(name), member) }
        case (.array, .keyed(let key)):
            for element in keyedElements(document, node, by: key) ?? [] { descend(.element(element.id), element.node) }
        case (.array, _):
            for (index, element) in document.elements(node).enumerated() { descend(.index(index), element) }
        default: return
        }
    }
}
