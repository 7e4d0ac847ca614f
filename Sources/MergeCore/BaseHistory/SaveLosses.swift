import LosslessJSON

/// The losses of a save against its snapshot: grow-only places that were lowered, and members and elements that are
/// gone.
struct SaveLosses {
    /// The number of grow-only places that lost. A removed container that held some counts as one.
    let down: Int
    /// The number of members and elements that are gone. A container counts as one, with all that was in it.
    let removed: Int
    /// The grow-only places that lost, in order.
    let lowered: [SaveMeaning.Lowered]

    init(_ diff: DocumentDiff, of snapshot: JSONDocument, _ rules: RuleSet) {
        let gone = diff.topmostGone
        var (lost, removals) = (Set<DocumentPath>(), gone)
        var elements = (lost: 0, removed: 0)
        var lowered: [SaveMeaning.Lowered] = []
        for change in diff.changes {
            let container = gone.isEmpty ? nil : change.path.nearest(in: gone)
            switch change.change {
            case .elements(let added, let removed) where container == nil:
                if change.isTrimming, snapshot.isFull(change, removed: removed.count, added: added.count, rules) {
                    continue
                }
                elements.removed += removed.count
                guard change.rule.merge == .union, !removed.isEmpty else { continue }
                elements.lost += removed.count
                lowered.append(.init(path: change.path, rule: change.rule, kept: nil, saved: nil))
            case .elements(_, let removed):
                if change.rule.merge == .union, !removed.isEmpty, let container { lost.insert(container) }
            case .value(let old, let new):
                if new == nil, container == nil { removals.insert(change.path) }
                guard change.lostPlace else { continue }
                lost.insert(container ?? change.path)
                if container == nil {
                    lowered.append(.init(path: change.path, rule: change.rule, kept: old, saved: new))
                }
            default: continue
            }
        }
        // The difference only says that the keyed element is gone: its content is in the snapshot.
        for path in gone.sorted() where !lost.contains(path) {
            guard let (node, matcher) = snapshot.place(path, rules), snapshot.holdsGrowOnly(node, matcher) else {
                continue
            }
            lost.insert(path)
        }
        down = lost.count + elements.lost
        removed = removals.count + elements.removed
        self.lowered = lowered.sorted { $0.path < $1.path }
    }

    /// Whether over a third of the grow-only places that hold something are lower, or over two thirds of the values in
    /// the snapshot have changed or are gone. A list of a `union` or `set` is one value here. O(snapshot).
    func isOfAnotherGame(_ diff: DocumentDiff, _ snapshot: JSONDocument, _ rules: RuleSet) -> Bool {
        let values = DocumentDiff(from: nil, to: snapshot, rules: rules).changes.filter { !$0.isOfElement }
        let growOnly = values.count { $0.gone.lostPlace }
        if lowered.count * 3 > growOnly { return true }
        let elements = diff.topmostGone
        let others = Set(diff.changes.filter(\.isOfContent).map(\.path))
        let changed = values.count { others.contains($0.path) || $0.path.nearest(in: elements) != nil }
        return changed * 3 > values.count * 2
    }
}

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
    /// Whether a grow-only leaf lost: the snapshot holds more of it than the save does.
    var lostPlace: Bool {
        switch (rule.merge, change) {
        case (.union, .elements(_, let removed)): return !removed.isEmpty && !isTrimming
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

    /// Whether the list lost exactly the elements that its rule's `limit` leaves out first, and at least as many came.
    /// A game that keeps no more elements than that removes them by itself, and nothing is lost.
    var isTrimming: Bool {
        guard case .elements(let added, let removed) = change, rule.limit != nil, !removed.isEmpty,
            removed.count <= added.count
        else { return false }
        var rule = rule
        rule.limit = added.count
        return Set(rule.arranged(added + removed)) == Set(added)
    }

    /// Whether the value changed, or the list has other elements. A new order alone does not count.
    fileprivate var isOfContent: Bool {
        switch change {
        case .value, .elements: true
        default: false
        }
    }

    /// The inverse of an added leaf, or of added elements: a change that removes what was added.
    fileprivate var gone: LeafChange {
        switch change {
        case .value(nil, let new?): LeafChange(path: path, rule: rule, change: .value(old: new, new: nil))
        case .elements(let added, _): LeafChange(path: path, rule: rule, change: .elements(added: [], removed: added))
        default: self
        }
    }

    /// Whether a value is gone.
    var isRemoval: Bool {
        guard case .value(_?, nil) = change else { return false }
        return true
    }

    /// Whether a counter fell.
    var isSpending: Bool {
        guard rule.merge == .counter, case .value(let old?, let new?) = change, let before = Ordinal(old, by: rule),
            let after = Ordinal(new, by: rule), before.isComparable(with: after)
        else { return false }
        return after < before
    }

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
    fileprivate func gained(_ old: JSONValue, _ new: JSONValue, _ wasSpent: (DocumentPath) -> Bool) -> Bool {
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

extension DocumentPath {
    /// The path itself or the nearest one above it that is in a set; `nil` where none is.
    func nearest(in paths: Set<DocumentPath>) -> DocumentPath? {
        var place: DocumentPath? = self
        while let here = place {
            if paths.contains(here) { return here }
            place = here.parent
        }
        return nil
    }
}

extension JSONDocument {
    /// The node at a place, and the rules there; `nil` if the document has nothing there. O(members and elements beside
    /// the path).
    fileprivate func place(_ path: DocumentPath, _ rules: RuleSet) -> (node: JSONNode, matcher: RuleMatcher)? {
        guard let steps = path.steps else { return nil }
        var (node, matcher) = (root, RuleMatcher(rules))
        for step in steps {
            guard let next = child(node, step, matcher) else { return nil }
            (node, matcher) = (next, matcher.stepping(step))
        }
        return (node, matcher)
    }

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

    /// Whether a list, with a change applied, holds at least as many elements as its rule's `limit` allows.
    fileprivate func isFull(_ change: LeafChange, removed: Int, added: Int, _ rules: RuleSet) -> Bool {
        guard let limit = change.rule.limit, let (node, _) = place(change.path, rules) else { return false }
        return count(node) - removed + added >= limit
    }

    private func child(_ node: JSONNode, _ step: PathStep, _ matcher: RuleMatcher) -> JSONNode? {
        switch (step, kind(node)) {
        case (.member(let name), .object): return member(node, named: name)
        case (.index(let index), .array): return element(node, at: index)
        case (.element(let id), .array):
            guard case .keyed(let key) = matcher.arrayShape else { return nil }
            return keyedElements(self, node, by: key)?.first { $0.id == id }?.node
        default: return nil
        }
    }

    /// Whether something that only grows is held at or below a place.
    fileprivate func holdsGrowOnly(_ node: JSONNode, _ matcher: RuleMatcher) -> Bool {
        switch DocumentShape(self, node, matcher) {
        case .local: return false
        case .leaf(let rule):
            return LeafChange(path: .root, rule: rule, change: .value(old: value(node), new: nil)).lostPlace
        case .elements(let rule): return rule.merge == .union && count(node) > 0
        case .object:
            return members(node).contains { holdsGrowOnly($0.value, matcher.stepping(.member($0.key))) }
        case .indexed:
            return elements(node).enumerated().contains {
                holdsGrowOnly($0.element, matcher.stepping(.index($0.offset)))
            }
        case .keyed(let key):
            return (keyedElements(self, node, by: key) ?? []).contains {
                holdsGrowOnly($0.node, matcher.stepping(.element($0.id)))
            }
        }
    }
}
