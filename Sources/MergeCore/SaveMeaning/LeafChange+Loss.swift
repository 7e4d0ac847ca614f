import LosslessJSON

extension LeafChange {
    /// Whether a grow-only leaf lost: the snapshot holds more of it than the save does. A list that the `limit` of its
    /// rule makes shorter is among them, see ``DocumentDiff/trimmed``.
    var lostPlace: Bool {
        switch (rule.merge, change) {
        case (.union, .elements(_, let removed)): return !removed.isEmpty
        case (.union, .value(let old?, let new)) where rule.reading == .bits:
            guard let before = BitField(old) else { return false }
            return !Set(before.indexes).isSubset(of: new.flatMap { BitField($0) }?.indexes ?? [])
        case (.flag, .value(let old, let new)): return old == .bool(true) && new != .bool(true)
        case (.max, .value(let old?, let new)), (.min, .value(let old?, let new)):
            guard !rule.none.contains(old), let before = Ordinal(old, by: rule) else { return false }
            guard let new, !rule.none.contains(new), let after = Ordinal(new, by: rule) else { return true }
            guard before.isComparable(with: after) else { return false }
            return rule.merge == .max ? after < before : before < after
        default: return false
        }
    }

    /// Whether the rule puts back what the change lowered or removed: the rule only grows and keeps the former value,
    /// and nothing was gained.
    var isPutBack: Bool {
        switch (rule.merge, change) {
        case (.union, .elements(let added, _)): added.isEmpty
        case (.union, .containerVanished): true
        case (.flag, .value(.bool?, nil)): true
        case (_, .value(let old?, let new?)): lostPlace && !gained(old, new) { _ in false }
        default: lostPlace
        }
    }

    /// Whether the rule's `limit` would rather leave out each element that the list lost than any that came, and at least
    /// as many came. What the list kept is not looked at: a game may have an order of its own in which it removes
    /// elements of a full list, and that is no reason for a question.
    var isTrimming: Bool {
        guard case .elements(let added, let removed) = change, rule.limit != nil, !removed.isEmpty,
            removed.count <= added.count
        else { return false }
        var rule = rule
        rule.limit = added.count
        return Set(rule.arranged(added + removed)) == Set(added)
    }

    /// Whether a value is gone.
    var isRemoval: Bool {
        guard case .value(_?, nil) = change else { return false }
        return true
    }

    /// Whether the save has an empty container where the snapshot's container held something.
    var empties: Bool {
        guard case .value(_, let new?) = change else { return false }
        return new.isEmptyContainer
    }

    /// Whether a value, elements or a container are gone, or all that was in a container.
    var takesOut: Bool {
        switch change {
        case .elements(_, let removed): !removed.isEmpty
        case .elementVanished, .containerVanished: true
        default: isRemoval || empties
        }
    }

    /// Whether a counter fell.
    var isSpending: Bool {
        guard rule.merge == .counter, case .value(let old?, let new?) = change, let before = Ordinal(old, by: rule),
            let after = Ordinal(new, by: rule), before.isComparable(with: after)
        else { return false }
        return after < before
    }
}
