import LosslessJSON

/// Arrays that two sets of rules take apart in different ways: by position, or by one member or another. Then one element has
/// two names, and what stands in it has two places.
extension RuleChange {
    /// For each place of a document that the current rules call otherwise, because of an array around it: what the former
    /// ones called it. Mostly empty. O(document), less what no rule reaches.
    func formerPlaces(in document: JSONDocument) -> [DocumentPath: DocumentPath] {
        var walk = RenamedElements(document: document)
        walk.visit(document.root, .root, .root, RuleMatcher(current), RuleMatcher(former))
        return walk.places
    }

    /// Whether a change writes an array as one value that the former rules took apart.
    func joined(_ change: LeafChange) -> Bool {
        guard change.rule.kind == .latest, case .value(_, .array(let elements)?) = change.change, !elements.isEmpty,
            let steps = change.path.steps
        else { return false }
        return steps.reduce(RuleMatcher(former)) { $0.stepping($1) }.arrayShape != .leaf
    }

    /// A document with the elements of each array that had a key and is told apart by position now where another document
    /// has them. Those that the other one lacks come last, and those that only it has are in between. O(documents).
    func arranged(_ document: JSONDocument, like other: JSONDocument) -> JSONDocument {
        let value = arranged(
            (document, document.root), (other, other.root), RuleMatcher(former), RuleMatcher(current))
        guard value != document.value(document.root) else { return document }
        return (try? JSONDocument(parsing: value.jsonBytes)) ?? document
    }

    private typealias Part = (document: JSONDocument, node: JSONNode)

    private func arranged(_ a: Part, _ b: Part, _ former: RuleMatcher, _ current: RuleMatcher) -> JSONValue {
        let value = a.document.value(a.node)
        guard a.document.kind(a.node) == b.document.kind(b.node) else { return value }
        if case .object(var members) = value {
            let nodes = Array(a.document.members(a.node))
            for index in members.indices {
                guard let theirs = b.document.member(b.node, named: nodes[index].key) else { continue }
                let step = PathStep.member(nodes[index].key)
                members[index].value = arranged(
                    (a.document, nodes[index].value), (b.document, theirs), former.stepping(step),
                    current.stepping(step))
            }
            return .object(members)
        }
        guard case .keyed(let key) = former.arrayShape, current.arrayShape == .indexed,
            let own = keyedElements(a.document, a.node, by: key),
            let theirs = keyedElements(b.document, b.node, by: key)
        else { return value }
        let nodes = Dictionary(uniqueKeysWithValues: own.map { ($0.id, $0.node) })
        let known = Set(theirs.map(\.id))
        let elements = theirs.enumerated().map { index, element in
            guard let node = nodes[element.id] else { return b.document.value(element.node) }
            return arranged(
                (a.document, node), (b.document, element.node), former.stepping(.element(element.id)),
                current.stepping(.index(index)))
        }
        return .array(elements + own.filter { !known.contains($0.id) }.map { a.document.value($0.node) })
    }
}

extension DocumentPath {
    /// The place down to which both paths are the same.
    func shared(with other: DocumentPath) -> DocumentPath {
        if self == other { return self }
        return DocumentPath(zip(steps ?? [], other.steps ?? []).prefix { $0 == $1 }.map(\.0))
    }
}

/// The walk over a document that finds ``RuleChange/formerPlaces(in:)``.
private struct RenamedElements {
    let document: JSONDocument
    var places: [DocumentPath: DocumentPath] = [:]

    mutating func visit(
        _ node: JSONNode, _ now: DocumentPath, _ then: DocumentPath, _ current: RuleMatcher, _ former: RuleMatcher
    ) {
        if now != then { places[now] = then } else if current.isPastEveryRule, former.isPastEveryRule { return }
        switch (DocumentShape(document, node, current), DocumentShape(document, node, former)) {
        case (.object, .object):
            for (name, member) in document.members(node) {
                let step = PathStep.member(name)
                visit(
                    member, now.appending(step), then.appending(step), current.stepping(step), former.stepping(step))
            }
        case (let shape, let other):
            guard let steps = steps(node, shape), let formerSteps = self.steps(node, other) else { return }
            for ((element, step), formerStep) in zip(zip(document.elements(node), steps), formerSteps) {
                visit(
                    element, now.appending(step), then.appending(formerStep), current.stepping(step),
                    former.stepping(formerStep))
            }
        }
    }

    /// The names of an array's elements, by position or by key; `nil` where the array is one value.
    private func steps(_ node: JSONNode, _ shape: DocumentShape) -> [PathStep]? {
        switch shape {
        case .indexed: (0..<document.count(node)).map { .index($0) }
        case .keyed(let key): keyedElements(document, node, by: key)?.map { .element($0.id) }
        default: nil
        }
    }
}
