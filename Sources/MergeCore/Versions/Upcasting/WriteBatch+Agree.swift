import LosslessJSON

extension WriteBatch {
    /// Writes the values that an upcast document holds and that a state, upcast atom by atom, does not show: values
    /// that were filled in or granted, and values that are of another kind now. All of them are written as a start,
    /// because no play made them: a counter's difference goes into its baseline, and any later write of a game wins.
    mutating func agree(with document: JSONDocument) {
        for change in DocumentDiff(from: nil, to: document, rules: state.rules).writes where !isKnown(change) {
            adopt(change)
        }
        let edits = Projection(of: state, onto: document).edits
        guard !edits.isEmpty, let bytes = try? document.patched(edits), let shown = try? JSONDocument(parsing: bytes)
        else { return }
        for change in DocumentDiff(from: shown, to: document, rules: state.rules).writes { start(change) }
    }

    /// Whether the state holds anything at a place, or the element if the change adds one.
    private func isKnown(_ change: LeafChange) -> Bool {
        switch change.change {
        case .elementAppeared: state.membership(change.path)?.present == true
        case .elements: change.rule.kind.map { !state.liveParts(change.path, $0).isEmpty } ?? true
        // `order` is never known here, so that elements that are not in this order get a position.
        case .order: false
        default: state.shown(change.path, change.rule) != nil
        }
    }

    /// Writes a difference that no play made, as part of the start.
    mutating func start(_ change: LeafChange) {
        switch (change.rule.merge, change.change) {
        case (.counter, .value(let old, let new)): startCounter(change, old, new)
        case (.latest, .value(_, let new)):
            guard case .register(let stamp, _)? = state.live(AtomKey(change.path, .latest))?.content else {
                return adopt(change)
            }
            put(AtomKey(change.path, .latest), .register(stamp.successor, new))
        default: add(change)
        }
    }

    private mutating func startCounter(_ change: LeafChange, _ old: JSONValue?, _ new: JSONValue?) {
        guard let kind = change.rule.kind, let new else { return }
        guard state.counterTotal(change.path, kind) != nil else { return adopt(change) }
        guard case .number(let after)? = Ordinal(new, by: change.rule) else {
            return refuse(change.path, "counter takes a number of at most 1,000 digits")
        }
        var baseline = ExactDecimal.zero
        if case .baseline(let known)? = state.live(AtomKey(change.path, kind))?.content { baseline = known }
        guard let old else {
            // The former amount is not known, so the whole amount becomes the start. Amounts that were earned in
            // former versions show here too and are subtracted.
            if let start = try? after.subtracting(formerTallies(change.path, kind)), start.isCountable, baseline < start
            {
                put(AtomKey(change.path, kind), .baseline(start))
            }
            return
        }
        guard case .number(let before)? = Ordinal(old, by: change.rule) else { return }
        // A baseline joins by the larger value, so a smaller one would have no effect.
        guard let difference = try? after.subtracting(before), !difference.isNegative, !difference.isZero,
            let sum = try? baseline.addingCountably(difference)
        else { return }
        put(AtomKey(change.path, kind), .baseline(sum))
    }

    /// The amounts that devices earned and spent in former versions, as far as they count at a place. O(n).
    private func formerTallies(_ path: DocumentPath, _ kind: AtomKind) throws -> ExactDecimal {
        let live = Set(state.liveParts(path, kind).map(\.sub))
        var sum = ExactDecimal.zero
        for atom in state.delta(beyond: VersionVector()) where atom.key.path.version.label != state.upcasters.own {
            guard case .tally(let earned, let spent) = atom.atom.content,
                state.upcasts(of: atom).contains(where: {
                    $0.key.path == path && $0.key.kind == kind && live.contains($0.key.sub)
                })
            else { continue }
            sum = try sum.adding(earned).subtracting(spent)
        }
        return sum
    }
}
