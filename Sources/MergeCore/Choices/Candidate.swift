public import LosslessJSON

/// One of several values of a place that were written concurrently.
public struct Candidate: Hashable, Sendable {
    /// `nil` is a removal.
    public let value: JSONValue?
    /// When it was written, by the hybrid clock.
    public let stamp: Stamp
    /// The write that made it; carrying it over into another epoch does not change that.
    public let dot: Dot
}

extension ProfileState {
    /// The values of a ``MergeRule/Merge/choice`` or ``MergeRule/Merge/furthest`` place that no other value replaced,
    /// the newest first. If a choice has more than one distinct value, the player has to decide.
    ///
    /// A multi-value register (Shapiro et al., 2011) with one slot a replica: a write replaces its own replica's
    /// former one and, by version, those of others (dotted version vectors, Preguiça et al., 2010), so that any number
    /// of rewrites leaves the size unchanged. O(replicas²).
    ///
    /// - Parameter shown: A value that counts although it was removed with a container around it, because a game's
    ///   snapshot still shows it.
    func candidates(_ path: DocumentPath, _ kind: AtomKind, or shown: JSONValue? = nil) -> [Candidate] {
        candidates(path, among: liveParts(path, kind), or: shown)
    }

    /// The candidates as they would be if only these slots had ever been written.
    func candidates(
        _ path: DocumentPath, among slots: [(sub: [UInt8], atom: Atom)], or shown: JSONValue? = nil
    ) -> [Candidate] {
        var replaced: [ReplicaID: UInt64] = [:]
        var all: [Candidate] = []
        let hiding = removals.hiding(path)
        for (sub, atom) in slots {
            guard let owner = ReplicaID(bytes: sub), case .candidate(let stamp, let value, let others) = atom.content
            else { continue }
            let isShown = shown != nil && shown == value
            if isShown || !hiding.contains(where: { $0.covers(atom.dot) }) {
                all.append(Candidate(value: value, stamp: stamp, dot: atom.origin(of: owner)))
            }
            for (replica, sequence) in others where replica != owner {
                replaced[replica] = max(replaced[replica] ?? 0, sequence)
            }
        }
        let current = all.filter { replaced[$0.dot.replica, default: 0] < $0.dot.sequence }
        return current.sorted { a, b in a.stamp != b.stamp ? a.stamp > b.stamp : a.dot > b.dot }
    }

    /// The values among which the player has to decide: more than one, and no two alike. Empty where nothing is open, and
    /// where the rules in force ask nothing.
    public func openChoice(_ path: DocumentPath) -> [Candidate] {
        var seen = Set<JSONValue>()
        let distinct = candidates(path, .choice).filter { candidate in
            candidate.value.map { seen.insert($0).inserted } ?? false
        }
        return distinct.count > 1 && rules.shows(AtomKey(path, .choice)) ? distinct : []
    }

    /// Every place with an open choice, in order. O(places).
    public var openChoices: [DocumentPath] {
        places.filter { $0.kind == .choice }.map(\.path).filter { !openChoice($0).isEmpty }.sorted()
    }
}

extension ProfileState {
    /// Decides an open choice for every device: the value replaces all candidates known here. A candidate that is
    /// written concurrently opens the choice again.
    public mutating func decide(_ path: DocumentPath, _ value: JSONValue, _ context: WriteContext) -> WriteResult {
        var batch = WriteBatch(state: self, context: context)
        batch.put(candidate: value, in: path, .choice, replacing: candidates(path, .choice))
        let (contents, unreadable, overridden) = batch.finish()
        return WriteResult(
            atoms: write(contents, as: context.replica), unreadable: unreadable, overridden: overridden)
    }

    /// Writes changes of choices once more, because it is known now that their game had read what the context's base
    /// covers. Each change replaces the value that its snapshot showed, and no other value. A change is left out if
    /// this replica's value has changed since, or if nothing is left to replace.
    ///
    /// - Parameter changes: What a save changed, as in ``BaseChoice/choicesOfOlder``.
    public mutating func confirm(_ changes: [LeafChange], _ context: WriteContext) -> WriteResult {
        let current = changes.filter { change in
            guard case .value(let old, let new) = change.change, change.rule.merge == .choice else { return false }
            var own: JSONValue?
            let key = AtomKey(change.path, .choice, sub: context.replica.bytes)
            if case .candidate(_, let value, _)? = live(key)?.content { own = value }
            return own == new
                && candidates(change.path, .choice).contains {
                    $0.dot.replica != context.replica && $0.value == old && context.base.covers($0.dot)
                }
        }
        return current.isEmpty ? WriteResult() : write(current, context)
    }
}

extension Atom {
    /// The write that first made a candidate of `owner`: its own dot, unless it was carried over into another epoch.
    func origin(of owner: ReplicaID) -> Dot {
        guard case .candidate(_, _, let others) = content, let sequence = others[owner] else {
            return Dot(replica: owner, sequence: dot.sequence)
        }
        return Dot(replica: owner, sequence: sequence)
    }
}

extension KeyedAtom {
    /// The content for writing the atom again under another dot. A candidate keeps the sequence number of the write
    /// that first made it, because other candidates replace it by that number.
    var contentWithOrigin: AtomContent {
        guard case .candidate(let stamp, let value, var others) = atom.content, let owner = ReplicaID(bytes: key.sub)
        else { return atom.content }
        others[owner] = atom.origin(of: owner).sequence
        return .candidate(stamp, value, replaced: others)
    }
}

extension Candidate {
    /// The candidate that got furthest: the values of the members in the rule's `by` are compared in order, and between
    /// equals the newest wins. `nil` when no candidate has a value.
    static func furthest(_ candidates: [Candidate], _ rule: MergeRule) -> Candidate? {
        var best: (candidate: Candidate, key: [Ordinal?])?
        for candidate in candidates {
            guard let value = candidate.value else { continue }
            let key = rule.by.map { name in value[name].flatMap { Ordinal($0, by: rule) } }
            // Candidates come newest first: an equal one does not replace the best so far.
            if let best, !precedes(best.key, key) { continue }
            best = (candidate, key)
        }
        return best?.candidate
    }

    private static func precedes(_ a: [Ordinal?], _ b: [Ordinal?]) -> Bool {
        for (x, y) in zip(a, b) where x != y {
            guard let x else { return true }
            guard let y else { return false }
            return x < y
        }
        return false
    }
}
