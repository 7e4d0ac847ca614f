import LosslessJSON

/// The gains of a save that only play gives.
struct SaveGains {
    /// The number of places that gained. What appeared counts as one place, with all that is in it.
    let count: Int

    init(_ diff: DocumentDiff, beside snapshot: JSONDocument, _ rules: RuleSet, wasSpent: (DocumentPath) -> Bool) {
        var appeared = Set<DocumentPath>()
        var places = 0
        for change in diff.changes {
            switch change.change {
            case .elementAppeared, .value(nil, .some):
                if let top = snapshot.topmostMissing(change.path, rules) { appeared.insert(top) }
            case .elements(let added, _):
                guard !added.isEmpty else { continue }
                if let top = snapshot.topmostMissing(change.path, rules), top != change.path {
                    appeared.insert(top)
                } else {
                    places += added.count
                }
            case .value(.some(let old), .some(let new)):
                if change.gained(old, new, wasSpent) { places += 1 }
            default: continue
            }
        }
        count = places + appeared.count
    }
}

extension LeafChange {
    /// Whether something was gained. A counter that rose counts too.
    var isGain: Bool {
        switch change {
        case .elementAppeared: true
        case .elements(let added, _): !added.isEmpty
        case .value(nil, .some): rule.merge != .local
        case .value(.some(let old), .some(let new)): gained(old, new) { _ in false }
        default: false
        }
    }

    /// Whether a value grew as only play makes it grow.
    func gained(_ old: JSONValue, _ new: JSONValue, _ wasSpent: (DocumentPath) -> Bool) -> Bool {
        switch rule.merge {
        case .flag: return old != .bool(true) && new == .bool(true)
        case .union where rule.reading == .bits:
            guard let after = BitField(new) else { return false }
            return !Set(after.indexes).isSubset(of: BitField(old)?.indexes ?? [])
        case .max, .min:
            guard !rule.none.contains(new), let after = Ordinal(new, by: rule) else { return false }
            guard !rule.none.contains(old), let before = Ordinal(old, by: rule) else { return true }
            guard before.isComparable(with: after) else { return false }
            return rule.merge == .max ? before < after : after < before
        case .counter:
            guard let after = Ordinal(new, by: rule), let before = Ordinal(old, by: rule),
                before.isComparable(with: after)
            else { return false }
            return before < after && !wasSpent(path)
        default: return false
        }
    }
}

extension JSONDocument {
    /// The topmost place on a path where the document has nothing; `nil` if the document has a value at the path
    /// itself.
    fileprivate func topmostMissing(_ path: DocumentPath, _ rules: RuleSet) -> DocumentPath? {
        guard let steps = path.steps else { return nil }
        var (node, matcher, here) = (root, RuleMatcher(rules), DocumentPath.root)
        for step in steps {
            here = here.appending(step)
            guard let next = child(node, step, matcher) else { return here }
            (node, matcher) = (next, matcher.stepping(step))
        }
        return nil
    }
}
