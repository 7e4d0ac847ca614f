@testable import LosslessJSON

extension JSONDocument {
    /// Visits a value and everything in it, in the order of the text.
    func walk(_ node: JSONNode, _ visit: (JSONNode) -> Void) {
        visit(node)
        for child in children(node) { walk(child, visit) }
    }
}

extension [JSONEdit] {
    /// Another order; new entries of one container keep theirs.
    func shuffledKeepingInserts(_ random: inout some RandomNumberGenerator) -> [JSONEdit] {
        let isInsert: (JSONEdit) -> Bool = {
            switch $0 {
            case .replace, .remove, .reorder: false
            case .insertMember, .appendElement: true
            }
        }
        var inserts = filter(isInsert)[...]
        return shuffled(using: &random).map { isInsert($0) ? inserts.removeFirst() : $0 }
    }
}

/// Edits that do not overlap, and what must come of them.
struct EditPlan {
    var edits: [JSONEdit] = []
    private var replaced: [JSONNode: JSONValue] = [:]
    private var removed: Set<JSONNode> = []
    private var added: [JSONNode: [(key: JSONString, value: JSONValue)]] = [:]

    /// - Parameter value: Makes a value to put into the document.
    init<Random: RandomNumberGenerator>(
        _ document: JSONDocument,
        _ random: inout Random,
        value: (inout Random) -> JSONValue
    ) {
        choose(document, document.root, &random, value)
    }

    private mutating func choose<Random: RandomNumberGenerator>(
        _ document: JSONDocument,
        _ node: JSONNode,
        _ random: inout Random,
        _ value: (inout Random) -> JSONValue
    ) {
        func once(in times: Int, _ random: inout Random) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }
        if once(in: 8, &random) {
            let new = value(&random)
            replaced[node] = new
            edits.append(.replace(node, new))
            return
        }
        if node != document.root, once(in: 5, &random) {
            removed.insert(node)
            edits.append(.remove(node))
            return
        }
        let kind = document.kind(node)
        if kind == .array || kind == .object, once(in: 4, &random) {
            for index in 0..<Int.random(in: 1...3, using: &random) {
                let (key, value) = (JSONString("new\(index)"), value(&random))
                added[node, default: []].append((key, value))
                edits.append(
                    kind == .array
                        ? .appendElement(to: node, value) : .insertMember(into: node, key: key, value)
                )
            }
        }
        for child in document.children(node) { choose(document, child, &random, value) }
    }

    /// The value after the edits, or nil where it is removed.
    func expected(_ document: JSONDocument, _ node: JSONNode) -> JSONValue? {
        if removed.contains(node) { return nil }
        if let value = replaced[node] { return value }
        let new = added[node, default: []]
        switch document.kind(node) {
        case .array:
            return .array(document.elements(node).compactMap { expected(document, $0) } + new.map(\.value))
        case .object:
            let kept = document.members(node).compactMap { member in
                expected(document, member.value).map { JSONMember(key: member.key, value: $0) }
            }
            return .object(kept + new.map { JSONMember(key: $0.key, value: $0.value) })
        default: return document.value(node)
        }
    }

    /// Whether all text that no edit names is where it was among its neighbours.
    func isUntouchedOutside(_ before: JSONDocument, _ after: JSONDocument) -> Bool {
        let (old, new) = (before.range(before.root), after.range(after.root))
        return before.bytes[..<old.lowerBound] == after.bytes[..<new.lowerBound]
            && before.bytes[old.upperBound...] == after.bytes[new.upperBound...]
            && isUntouched(before, before.root, after, after.root)
    }

    private func isUntouched(
        _ before: JSONDocument,
        _ old: JSONNode,
        _ after: JSONDocument,
        _ new: JSONNode
    ) -> Bool {
        if replaced[old] != nil { return true }
        guard before.count(old) > 0 else { return added[old] != nil || before.sameText(old, as: new, in: after) }
        var matches = after.children(new)
        // The end of the last child looked at in the old text, and of its counterpart where it stays.
        var oldEnd = before.range(old).lowerBound + 1
        var newEnd: Int? = after.range(new).lowerBound + 1
        var lastKept: JSONNode?
        for child in before.children(old) {
            defer { oldEnd = before.range(child).upperBound }
            if removed.contains(child) {
                newEnd = nil
                continue
            }
            guard let match = matches.next() else { return false }
            let (oldStart, newStart) = (before.range(child).lowerBound, after.range(match).lowerBound)
            if let newEnd {
                guard before.bytes[oldEnd..<oldStart] == after.bytes[newEnd..<newStart] else { return false }
            } else if let key = before.keyRange(of: child), let newKey = after.keyRange(of: match) {
                guard before.bytes[key.lowerBound..<oldStart] == after.bytes[newKey.lowerBound..<newStart] else {
                    return false
                }
            }
            guard isUntouched(before, child, after, match) else { return false }
            newEnd = after.range(match).upperBound
            lastKept = match
        }
        var last = lastKept
        while let match = matches.next() { last = match }
        guard let last else { return true }
        return before.bytes[oldEnd..<before.range(old).upperBound]
            == after.bytes[after.range(last).upperBound..<after.range(new).upperBound]
    }
}
