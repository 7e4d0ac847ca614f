import LosslessJSON

/// Writes under the rules that keep several values for a place: bit fields, `choice` and `furthest`.
extension WriteBatch {
    mutating func bits(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue?) {
        guard let new, let kind = rule.kind else { return }
        guard let elements = BitField.elements(of: new) else {
            return refuse(path, "bits take a whole number from 0 on, of at most \(BitField.limit) binary digits")
        }
        for element in elements { insert(element, path, kind) }
    }

    /// Writes this replica's candidate, in place of the candidates that the game's snapshot showed. A choice keeps all
    /// other concurrent values for the player to decide. Under `furthest`, the candidates that had lost against the
    /// shown one are replaced too.
    mutating func candidate(_ path: DocumentPath, _ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) {
        guard let kind = rule.kind else { return }
        let current = state.candidates(path, kind, or: old).filter {
            guard $0.dot.replica != context.replica else { return true }
            return context.base.covers($0.dot) && (kind == .furthest || $0.value == old)
        }
        if new == nil, current.isEmpty { return }
        put(candidate: new, in: path, kind, replacing: current)
    }

    /// Writes this replica's slot of a multi-value register: `value` replaces the given candidates and the slot's own
    /// former value.
    mutating func put(
        candidate value: JSONValue?, in path: DocumentPath, _ kind: AtomKind, replacing current: [Candidate]
    ) {
        let key = AtomKey(path, kind, sub: context.replica.bytes)
        var replaced: [ReplicaID: UInt64] = [:]
        var stamp = Stamp.live(min(context.now, context.fileTime))
        if case .candidate(let last, _, let former)? = state.live(key)?.content {
            replaced = former
            // A slot is ordered by its stamps: another replica may have carried it over.
            stamp = max(stamp, last.successor)
        }
        replaced[context.replica] = nil
        for candidate in current {
            stamp = max(stamp, candidate.stamp.successor)
            let replica = candidate.dot.replica
            if replica != context.replica { replaced[replica] = max(replaced[replica] ?? 0, candidate.dot.sequence) }
        }
        put(key, .candidate(stamp, value, replaced: replaced))
    }
}
