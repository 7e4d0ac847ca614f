import Testing

@testable import LosslessJSON

/// Random documents, random edits: the result means what it should, and nothing else moved.
@Suite struct PatchFidelityTests {
    @Test func randomEdits() throws {
        for seed in 0..<3_000 {
            var random = RandomJSON(seed: UInt64(seed))
            let input = random.document()
            let before = try JSONDocument(parsing: utf8(input))
            let plan = Plan(before, &random)
            let output = try before.patched(plan.edits.shuffledKeepingInserts(&random.random))
            let after: JSONDocument
            do {
                after = try JSONDocument(parsing: output)
            } catch {
                Issue.record("seed \(seed): \(error)\n\(input)\n\(text(output))")
                return
            }
            let expected = plan.expected(before, before.root) ?? .null
            guard after.value(after.root).jsonBytes == expected.jsonBytes else {
                Issue.record("seed \(seed): wrong value\n\(input)\n\(text(output))")
                return
            }
            guard plan.isUntouchedOutside(before, after) else {
                Issue.record("seed \(seed): bytes moved\n\(input)\n\(text(output))")
                return
            }
        }
    }

    /// Replacing alone changes exactly the replaced ranges.
    @Test func randomReplacements() throws {
        for seed in 0..<1_000 {
            var random = RandomJSON(seed: UInt64(seed))
            let before = try JSONDocument(parsing: utf8(random.document()))
            var nodes: [JSONNode] = []
            before.walk(before.root) { node in
                if before.count(node) == 0, random.random.once(in: 3) { nodes.append(node) }
            }
            var expected: [UInt8] = []
            var position = 0
            for node in nodes {
                expected += before.bytes[position..<before.range(node).lowerBound] + utf8("-7")
                position = before.range(node).upperBound
            }
            expected += before.bytes[position...]
            #expect(try before.patched(nodes.map { .replace($0, -7) }) == expected, "seed \(seed)")
        }
    }
}

extension JSONDocument {
    /// Visits a value and everything in it, in the order of the text.
    func walk(_ node: JSONNode, _ visit: (JSONNode) -> Void) {
        visit(node)
        for child in children(node) { walk(child, visit) }
    }
}

extension [JSONEdit] {
    /// Another order; new entries of one container keep theirs.
    func shuffledKeepingInserts(_ random: inout SeededRandom) -> [JSONEdit] {
        let isInsert: (JSONEdit) -> Bool = {
            switch $0 {
            case .replace, .remove: false
            case .insertMember, .appendElement: true
            }
        }
        var inserts = filter(isInsert)[...]
        return shuffled(using: &random).map { isInsert($0) ? inserts.removeFirst() : $0 }
    }
}

/// Edits that do not overlap, and what must come of them.
struct Plan {
    var edits: [JSONEdit] = []
    private var replaced: [JSONNode: JSONValue] = [:]
    private var removed: Set<JSONNode> = []
    private var added: [JSONNode: [(key: JSONString, value: JSONValue)]] = [:]

    init(_ document: JSONDocument, _ random: inout RandomJSON) {
        choose(document, document.root, &random)
    }

    private mutating func choose(_ document: JSONDocument, _ node: JSONNode, _ random: inout RandomJSON) {
        if random.random.once(in: 8) {
            replaced[node] = random.value()
            edits.append(.replace(node, replaced[node] ?? .null))
            return
        }
        if node != document.root, random.random.once(in: 5) {
            removed.insert(node)
            edits.append(.remove(node))
            return
        }
        let kind = document.kind(node)
        if kind == .array || kind == .object, random.random.once(in: 4) {
            for index in 0..<1 + random.random.below(3) {
                let (key, value) = (JSONString("new\(index)"), random.value())
                added[node, default: []].append((key, value))
                edits.append(
                    kind == .array
                        ? .appendElement(to: node, value) : .insertMember(into: node, key: key, value)
                )
            }
        }
        for child in document.children(node) { choose(document, child, &random) }
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
