/// The edits of one patch, checked, and sorted by the values they name.
struct GroupedEdits {
    /// All edits of one value.
    struct Group {
        var node: JSONNode
        var replacement: JSONValue?
        var isRemoved = false
        /// New entries of a container in the order they were asked for; array elements have no key.
        var inserts: [(key: JSONString?, value: JSONValue)] = []
        /// The new order of an array's elements, see ``JSONEdit/reorder(_:_:)``.
        var order: [Int]?
        var isFilled: Bool { !inserts.isEmpty || order != nil }
    }

    /// In the order of the text.
    private(set) var groups: [Group] = []

    init(_ edits: [JSONEdit], of document: JSONDocument) throws(JSONPatchError) {
        let order = edits.indices.sorted {
            let (left, right) = (edits[$0].node, edits[$1].node)
            return left != right ? left < right : $0 < $1
        }
        for index in order { try add(edits[index], of: document) }
        try checkOverlap(document)
    }

    private mutating func add(_ edit: JSONEdit, of document: JSONDocument) throws(JSONPatchError) {
        let node = edit.node
        guard document.tape.indices.contains(node.index), !document.tape[node.index].isKey else {
            throw JSONPatchError(
                reason: .unknownNode,
                line: 0,
                column: 0,
                message: "the edit names a value of another document"
            )
        }
        if groups.last?.node != node { groups.append(Group(node: node)) }
        // Changed in place: a copy of a group would copy all it holds at every edit.
        let last = groups.count - 1
        let isFinal = groups[last].isRemoved || groups[last].replacement != nil
        switch edit {
        case .remove, .replace:
            if isFinal || groups[last].isFilled {
                throw document.patchError(.overlap, node, "the value is edited twice")
            }
            if case .replace(_, let value) = edit {
                groups[last].replacement = value
            } else if node == document.root {
                throw document.patchError(.removedRoot, node, "the whole document cannot be removed")
            } else {
                groups[last].isRemoved = true
            }
        case .insertMember(_, let key, let value):
            guard document.kind(node) == .object else {
                throw document.patchError(.wrongKind, node, "a member cannot be added to what is no object")
            }
            groups[last].inserts.append((key, value))
        case .appendElement(_, let value):
            guard document.kind(node) == .array else {
                throw document.patchError(.wrongKind, node, "an element cannot be added to what is no array")
            }
            groups[last].inserts.append((nil, value))
        case .reorder(_, let order):
            guard document.kind(node) == .array else {
                throw document.patchError(.wrongKind, node, "what is no array has no elements to order")
            }
            guard groups[last].order == nil else {
                throw document.patchError(.overlap, node, "the elements are ordered twice")
            }
            groups[last].order = order
        }
        if isFinal {
            throw document.patchError(.overlap, node, "something is added to a value that is removed or replaced")
        }
    }

    /// Refuses edits inside a value that is removed or replaced.
    private func checkOverlap(_ document: JSONDocument) throws(JSONPatchError) {
        var closedUntil = 0
        for group in groups {
            if group.node.index < closedUntil {
                throw document.patchError(
                    .overlap,
                    group.node,
                    "the edit lies inside a value that is removed or replaced"
                )
            }
            if group.isRemoved || group.replacement != nil {
                closedUntil = Int(document.tape[group.node.index].next)
            }
        }
    }

    /// The removed entries and new entries of every container that has any, in the order of the containers.
    func containers(of document: JSONDocument) -> [ContainerEdits] {
        let tape = document.tape
        var result: [Int: ContainerEdits] = [:]
        for group in groups where group.isFilled {
            result[group.node.index] = ContainerEdits(node: group.node, inserts: group.inserts, order: group.order)
        }
        // The containers around the last removed value, each with the child that was looked at last.
        var path: [(container: Int, child: Int)] = []
        for group in groups where group.isRemoved {
            let target = group.node.index
            while let last = path.last, Int(tape[last.container].next) <= target { path.removeLast() }
            if path.isEmpty { path.append((0, document.firstChild(of: 0))) }
            while true {
                var (container, child) = path.removeLast()
                while Int(tape[child].next) <= target { child = document.sibling(after: child, in: container) }
                path.append((container, child))
                if child == target {
                    result[container, default: ContainerEdits(node: JSONNode(container))].removed.append(target)
                    break
                }
                path.append((child, document.firstChild(of: child)))
            }
        }
        return result.values.sorted { $0.node < $1.node }
    }
}

/// The entries that are removed from and added to one container, and the order of the result.
struct ContainerEdits {
    var node: JSONNode
    /// Tape indices of removed values, ascending.
    var removed: [Int] = []
    var inserts: [(key: JSONString?, value: JSONValue)] = []
    /// The order of the container's elements after the patch. `nil` keeps the order of the text and puts new elements
    /// behind it.
    var order: [Int]?
}

extension JSONEdit {
    /// The value that the edit names.
    var node: JSONNode {
        switch self {
        case .replace(let node, _), .remove(let node), .insertMember(let node, _, _), .appendElement(let node, _),
            .reorder(let node, _):
            node
        }
    }
}

extension JSONDocument {
    /// The tape index of the first value in a container that is not empty.
    func firstChild(of container: Int) -> Int { container + (tape[container + 1].isKey ? 2 : 1) }

    /// The tape index of the value after `child`, which is not the last.
    func sibling(after child: Int, in container: Int) -> Int {
        let next = Int(tape[child].next)
        return tape[next].isKey ? next + 1 : next
    }

    func patchError(_ reason: JSONPatchError.Reason, _ node: JSONNode, _ message: String) -> JSONPatchError {
        let place = position(of: node)
        return JSONPatchError(reason: reason, line: place.line, column: place.column, message: message)
    }
}
