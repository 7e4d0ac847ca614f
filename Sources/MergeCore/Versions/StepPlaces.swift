import LosslessJSON

/// One place in a document that the path of a step matches.
struct StepPlace: Hashable {
    /// The path of the place.
    let pointer: JSONPointer
    let node: JSONNode
    /// The container that holds it; `nil` for the whole document.
    let parent: JSONNode?
}

extension RulePattern {
    /// The pattern without its last step. Only for patterns that have a step.
    var container: RulePattern { RulePattern(steps: steps.dropLast()) }

    /// The name in the last step, where that is a name; else `nil`.
    var lastName: JSONString? {
        if case .literal(let name)? = steps.last { name } else { nil }
    }

    /// All values of a document that the pattern matches, in the order of the text. The pattern must have no `**`.
    ///
    /// O(values passed). All these places are at the same depth, so that none lies inside another.
    func places(in document: JSONDocument) -> [StepPlace] {
        var found = [StepPlace(pointer: .root, node: document.root, parent: nil)]
        for step in steps {
            var next: [StepPlace] = []
            for place in found { Self.append(step, place, document, to: &next) }
            found = next
        }
        return found
    }

    private static func append(_ step: Step, _ place: StepPlace, _ document: JSONDocument, to next: inout [StepPlace]) {
        let node = place.node
        switch step {
        case .literal(let name):
            guard let child = document.node(at: JSONPointer(tokens: [name]), from: node) else { return }
            next.append(StepPlace(pointer: place.pointer.appending(name), node: child, parent: node))
        case .any, .keyed:
            if case .keyed = step, document.kind(node) != .array { return }
            for (index, child) in document.children(node).enumerated() {
                let token = document.key(of: child) ?? JSONString(String(index))
                next.append(StepPlace(pointer: place.pointer.appending(token), node: child, parent: node))
            }
        case .anyDepth: return
        }
    }
}

extension JSONDocument {
    /// The value that a pointer names below a node.
    func node(at pointer: JSONPointer, from start: JSONNode) -> JSONNode? {
        var node = start
        for token in pointer.tokens {
            let next: JSONNode?
            switch kind(node) {
            case .object: next = member(node, named: token)
            case .array: next = token.elementIndex.flatMap { element(node, at: $0) }
            default: next = nil
            }
            guard let next else { return nil }
            node = next
        }
        return node
    }
}

extension JSONString {
    /// The array index that a step of a path spells: digits without a zero in front; else `nil`.
    fileprivate var elementIndex: Int? {
        guard bytes.count <= 9, bytes.allSatisfy({ $0 &- 0x30 < 10 }), bytes.count == 1 || bytes.first != 0x30 else {
            return nil
        }
        return bytes.isEmpty ? nil : bytes.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
}
