package import LosslessJSON

/// Saves of a game that goes on from an empty save, which was set aside.
extension ProfileState {
    /// Leaves out the changes of such a save that would overwrite what its game never read. Returns the others; `nil` where
    /// there are no such changes.
    ///
    /// A game that found nothing writes nothing first, and then what it begins with: an empty name, a list without entries.
    /// Measured against the empty save that is all new. Measured against what the file shows, it is the same loss once more,
    /// and so is what the game makes of it later. So nothing counts that would take the place of a value which the base does
    /// not hold, and no amount that appears where one is. What was earned or spent since the base does, and what only grows,
    /// and whatever is at a place of which the state shows nothing.
    ///
    /// - Parameters:
    ///   - changes: What the save changed since its base.
    ///   - base: The empty save, or one that went on from it.
    /// - Complexity: O(document).
    package func played(_ changes: [LeafChange], since base: JSONDocument) -> [LeafChange]? {
        guard !changes.isEmpty, let shown = Projection.document(of: self) else { return nil }
        let missing = DocumentDiff(from: shown, to: base, rules: rules)
        let unread = Set(missing.changes.filter(\.replacesSomething).map(\.path))
        let around = Set(unread.flatMap { Array(sequence(first: $0, next: \.parent)) })
        let left = changes.filter { change in
            if isSecondStart(change) { return false }
            return !change.mayOverwrite || !around.contains(change.path) && change.path.nearest(in: unread) == nil
        }
        return left.count < changes.count ? left : nil
    }

    /// Whether an amount appears where one shows: it would be added to that, also where the two are equal.
    private func isSecondStart(_ change: LeafChange) -> Bool {
        guard change.rule.merge == .counter, case .value(let old, _?) = change.change, old ?? .null == .null,
            case .amount? = shown(change.path, change.rule)
        else { return false }
        return true
    }
}

extension LeafChange {
    /// Whether the change puts something in the place of what another device wrote there. The rules of all others add up, or
    /// keep the larger side.
    fileprivate var mayOverwrite: Bool {
        if case .elementTouched = change { return false }
        switch rule.merge {
        case .counter, .max, .min, .flag, .union, .set, .furthest: return path == .root
        default: return true
        }
    }

    /// Whether the place held something before.
    fileprivate var replacesSomething: Bool {
        switch change {
        case .value(let old?, _): !old.isNothing
        case .elements(_, let removed): !removed.isEmpty
        case .containerVanished, .elementVanished: true
        default: false
        }
    }
}
