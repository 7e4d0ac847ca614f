package import LosslessJSON

/// A game that goes on from an empty save which was set aside: what it puts where the others have something is no play.
extension ProfileState {
    /// The changes of a save without those that fill an emptied document anew: values that the base lacks, at places of
    /// which the state shows another value, or that lie around or in such a place.
    ///
    /// A game that found nothing writes nothing first, and then what it begins with: an empty name, a list without
    /// entries. Measured against the empty save that is all new. Measured against what the file shows, it is the same loss
    /// once more. What only grows is not among it: its rules lose nothing.
    ///
    /// - Parameters:
    ///   - changes: What the save changed since its base.
    ///   - base: A save of the same game that was set aside, or that went on from one.
    ///   - save: The save.
    /// - Returns: `nil` where the base lacks no more than half of what the state shows, or nothing was filled anew.
    /// - Complexity: O(document).
    package func withoutRefills(
        _ changes: [LeafChange], since base: JSONDocument, in save: JSONDocument
    ) -> [LeafChange]? {
        guard changes.contains(where: \.isRefill), let shown = Projection.document(of: self),
            DocumentDiff(from: shown, to: base, rules: rules).isMostlyLoss(of: shown, rules: rules)
        else { return nil }
        let others = DocumentDiff(from: shown, to: save, rules: rules).changes.filter(\.replacesSomething).map(\.path)
        let (replaced, above) = (Set(others), Set(others.flatMap { Array(sequence(first: $0, next: \.parent)) }))
        let left = changes.filter { change in
            guard change.isRefill else { return true }
            // An amount that appears would be added to the one that is there, also where the two are equal.
            if change.rule.merge == .counter, self.shown(change.path, change.rule) != nil { return false }
            return !above.contains(change.path) && change.path.nearest(in: replaced) == nil
        }
        return left.count < changes.count ? left : nil
    }
}

extension LeafChange {
    /// Whether a value is put where there was none, and another one there would go.
    fileprivate var isRefill: Bool {
        guard case .value(let old, _?) = change, old?.isNothing ?? true else { return false }
        switch rule.merge {
        case .counter: return old == nil || old == .null
        case .max, .min, .flag, .union, .set, .furthest: return path == .root
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
