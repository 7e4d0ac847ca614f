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

extension LeafChange {
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
}

extension JSONDocument {
    /// Whether a list, with a change applied, holds at least as many elements as its rule's `limit` allows.
    fileprivate func isFull(_ change: LeafChange, removed: Int, added: Int, _ rules: RuleSet) -> Bool {
        guard let limit = change.rule.limit, let (node, _) = place(change.path, rules) else { return false }
        return count(node) - removed + added >= limit
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
