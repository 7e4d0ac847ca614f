import LosslessJSON

/// Edits that take over numbers which only B wrote with another text: the value is the same.
///
/// A merge looks at values. For it, a game that writes `1.0` where it wrote `1` before has changed nothing. But where A
/// still has the ancestor's spelling and B has another one, B's spelling is the newer one.
struct Respelling {
    private(set) var edits: [JSONEdit] = []

    private let merged: JSONDocument
    private let a: JSONDocument
    private let b: JSONDocument
    private let base: JSONDocument

    init(of merged: JSONDocument, a: JSONDocument, b: JSONDocument, base: JSONDocument) {
        (self.merged, self.a, self.b, self.base) = (merged, a, b, base)
        compare(merged.root, a.root, b.root, base.root)
    }

    /// Compares one value in the four documents. The depth of the recursion is bounded by the parser's limit.
    private mutating func compare(_ node: JSONNode, _ inA: JSONNode, _ inB: JSONNode, _ inBase: JSONNode) {
        if merged.sameText(node, as: inB, in: b) || b.sameText(inB, as: inBase, in: base) { return }
        let kind = merged.kind(node)
        guard a.kind(inA) == kind, b.kind(inB) == kind, base.kind(inBase) == kind else { return }
        switch kind {
        case .number:
            guard a.sameText(inA, as: inBase, in: base), merged.sameText(node, as: inA, in: a),
                let spelling = b.number(inB), merged.number(node) == spelling
            else { return }
            edits.append(.replace(node, .number(spelling)))
        case .object:
            let (left, right, former) = (a.membersByKey(inA), b.membersByKey(inB), base.membersByKey(inBase))
            for (key, value) in merged.members(node) {
                guard let first = left[key], let second = right[key], let old = former[key] else { continue }
                compare(value, first, second, old)
            }
        case .array:
            // Elements are compared by position. If one was added or removed, the array stays as the merge made it.
            let count = merged.count(node)
            guard a.count(inA) == count, b.count(inB) == count, base.count(inBase) == count else { return }
            var (left, right, former) = (a.elements(inA), b.elements(inB), base.elements(inBase))
            for value in merged.elements(node) {
                guard let first = left.next(), let second = right.next(), let old = former.next() else { return }
                compare(value, first, second, old)
            }
        default: return
        }
    }
}
