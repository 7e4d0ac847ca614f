import LosslessJSON

/// The part of a save that can be merged while only the player can say what the save means.
extension ProfileState {
    /// The changes that cannot lose anything: grow-only gains, and values that the profile never had. A value that it
    /// had once and lost is not added again: a sword that was sold does not return. Neither is anything added to a
    /// container that it had once and lost, since only a part of it would come. No counter changes, and no known value is
    /// overwritten. A new list gets the order of the save. O((state + changes) · depth).
    public func safeGains(of diff: DocumentDiff) -> [LeafChange] {
        let containers = knownContainers
        var lost = LostContainers(ViewNode(self), known: containers, besides: upcasters.version?.place)
        var touched: [LeafChange] = []
        let taken = diff.changes.compactMap { change -> LeafChange? in
            switch (change.rule.merge, change.change) {
            case _ where lost.isLost(around: change.path): return nil
            case (.max, .value(_, .some)), (.min, .value(_, .some)), (.flag, .value(_, .some)):
                return change.isLowering || hasLost(change) ? nil : change
            case (.union, .value(_, .some)) where change.rule.reading == .bits: return hasLost(change) ? nil : change
            case (.union, .elements(let added, _)):
                let new = added.filter { !hasLost(AtomKey(change.path, .union, sub: $0.canonicalBytes)) }
                return new.isEmpty ? nil : change.adding(new)
            case (.set, .elements(let added, _)):
                let new = added.filter { atom(AtomKey(change.path, .set, sub: $0.canonicalBytes)) == nil }
                return new.isEmpty ? nil : change.adding(new)
            case (_, .value(nil, .some)), (_, .elementAppeared):
                return hasEverHeld(change.path) || containers.contains(change.path) ? nil : change
            case (_, .elementTouched):
                touched.append(change)
                return nil
            default: return nil
            }
        }
        // A gain inside an element that is there keeps the element: a concurrent removal had not seen the gain.
        var around = Set<DocumentPath>()
        for change in taken {
            var place: DocumentPath? = change.path
            while let here = place, around.insert(here).inserted { place = here.parent }
        }
        let kept = touched.filter { element in
            membership(element.path)?.present == true && around.contains(element.path)
        }
        // A list that the profile did not have gets the order of the save.
        let orders = diff.orders.filter { list in
            guard case .order(let before, _) = list.change else { return false }
            return before.isEmpty && around.contains(list.path)
        }
        return taken + kept + orders
    }

    /// Whether anything was spent of the counter at a place, in the epoch in force.
    public func wasSpent(_ path: DocumentPath) -> Bool {
        guard let kind = rules.rule(for: path).kind, kind.base == .counter else { return false }
        return !spendings(path, kind).isEmpty
    }

    /// The places below which something was ever written, and the whole document. O(places · depth).
    var knownContainers: Set<DocumentPath> {
        var known: Set<DocumentPath> = [.root]
        for place in places where !place.path.isReserved {
            var above = place.path.parent
            while let here = above, known.insert(here).inserted { above = here.parent }
        }
        return known
    }

    /// Whether a value that only grows stood at a place and counts no more: a reset hid it, or it was removed together
    /// with what was around it. An old copy does not bring it back while it is asked about.
    private func hasLost(_ change: LeafChange) -> Bool {
        guard let kind = change.rule.kind else { return false }
        return table.place(change.path, kind) != nil && visibleParts(change.path, kind).isEmpty
    }

    private func hasLost(_ key: AtomKey) -> Bool { atom(key) != nil && visible(key) == nil }

    /// Whether something was ever written at the place itself, under its rule's kind, as a register or as an element.
    private func hasEverHeld(_ path: DocumentPath) -> Bool {
        let kinds = [rules.rule(for: path).kind, .latest, .element].compactMap(\.self)
        return kinds.contains { table.place(path, $0) != nil }
    }
}

extension LeafChange {
    /// Whether a grow-only value is replaced by one that its rule does not keep. That is no gain, so it does not keep
    /// an element that was removed elsewhere.
    fileprivate var isLowering: Bool {
        // A value of `none` is replaced by any other.
        guard case .value(let old?, let new?) = change, !rule.none.contains(old) else { return false }
        if rule.merge == .flag { return new == .bool(false) }
        guard rule.merge == .max || rule.merge == .min, let before = Ordinal(old, by: rule),
            let after = Ordinal(new, by: rule), before.isComparable(with: after)
        else { return false }
        return rule.merge == .min ? before < after : after < before
    }

    /// Whether the save holds something at the place that the snapshot does not: a new or another value, but not a lower
    /// one that its rule does not keep.
    package var holdsNew: Bool {
        switch change {
        case .value(_, .some): !isLowering
        case .elementAppeared: true
        case .elements(let added, _): !added.isEmpty
        default: false
        }
    }

    fileprivate func adding(_ elements: [JSONValue]) -> LeafChange {
        LeafChange(path: path, rule: rule, change: .elements(added: elements, removed: []))
    }
}

extension ProfileState {
    /// Whether a save adds an element that this state knew before. Then other values that are known in the element may
    /// show.
    package func knowsElement(addedBy changes: [LeafChange]) -> Bool {
        changes.contains { change in
            guard case .elementAppeared = change.change else { return false }
            return atom(AtomKey(change.path, .element)) != nil
        }
    }

    /// The places of a save where the profile shows another value than the save, once the save's changes are written.
    /// Reasons are a rule that keeps the known value, an overspent counter, and a list that is trimmed or sorted.
    /// O(changes).
    package func unlike(_ changes: [LeafChange]) -> [AtomKey] {
        changes.compactMap { change in
            guard let kind = change.rule.kind else { return nil }
            let key = AtomKey(change.path, kind)
            switch change.change {
            case .value(_, let new):
                guard change.rule.merge != .latest, let shown = shown(change.path, change.rule) else { return nil }
                if case .open(let candidates, _) = shown { return new.map(candidates.contains) ?? false ? nil : key }
                guard let json = shown.json, json != new else { return shown.isAbsent && new != nil ? key : nil }
                if let new, let before = Ordinal(json, by: change.rule), before == Ordinal(new, by: change.rule) {
                    return nil
                }
                // A counter that vanished is gone: its remaining value is nothing that a file lacks.
                return new == nil && change.rule.merge == .counter ? nil : key
            case .elements(_, let removed):
                let isTrimmed = change.rule.sort != nil || change.rule.limit != nil
                return isTrimmed || change.rule.merge == .union && !removed.isEmpty ? key : nil
            default: return nil
            }
        }
    }
}
