import LosslessJSON

/// Operations of the rules that hold more than one value of a place.
extension WriteBatch {
    mutating func bits(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue?) {
        guard let new, let kind = rule.kind else { return }
        guard let elements = BitField.elements(of: new) else {
            return refuse(path, "bits take a whole number from 0 on, of at most \(BitField.limit) binary digits")
        }
        for element in elements { insert(element, path, kind) }
    }

    /// Replaces what the game's image showed. Of the values written apart, a choice keeps all others, for the player to
    /// decide; where the furthest side won, those that had lost against the shown one go with it.
    mutating func candidate(_ path: DocumentPath, _ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) {
        guard let kind = rule.kind else { return }
        let standing = state.candidates(path, kind, or: old).filter {
            guard $0.dot.replica != context.replica else { return true }
            return context.base.covers($0.dot) && (kind == .furthest || $0.value == old)
        }
        if new == nil, standing.isEmpty { return }
        put(candidate: new, in: path, kind, replacing: standing)
    }

    /// The own slot of a multi-value register: `value` in place of others and of what this replica wrote before.
    mutating func put(
        candidate value: JSONValue?, in path: DocumentPath, _ kind: AtomKind, replacing standing: [Candidate]
    ) {
        let key = AtomKey(path, kind, sub: context.replica.bytes)
        var replaced: [ReplicaID: UInt64] = [:]
        var stamp = Stamp.live(milliseconds: min(context.now, context.fileTime))
        if case .candidate(let last, _, let former)? = state.live(key)?.content {
            replaced = former
            // A slot goes by its stamps: whoever compacted may have written it again.
            stamp = max(stamp, last.successor)
        }
        replaced[context.replica] = nil
        for candidate in standing {
            stamp = max(stamp, candidate.stamp.successor)
            let replica = candidate.dot.replica
            if replica != context.replica { replaced[replica] = max(replaced[replica] ?? 0, candidate.dot.sequence) }
        }
        put(key, .candidate(stamp, value, replaced: replaced))
    }
}
