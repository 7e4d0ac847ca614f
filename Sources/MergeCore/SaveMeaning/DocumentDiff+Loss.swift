import LosslessJSON

extension DocumentDiff {
    /// Whether the snapshot holds more of a leaf that only grows than the save does.
    package var losesGrowOnly: Bool { !lowered.isEmpty }

    /// Whether the save lacks something of the snapshot, or holds less of a counter or of what only grows.
    package var takesAway: Bool {
        !lowered.isEmpty
            || changes.contains { change in
                switch change.change {
                case .containerVanished, .elementVanished, .value(_?, nil): true
                case .elements(_, let removed): !removed.isEmpty
                default: change.rule.merge == .counter && BaseVotes.gap(change)?.isNegative == true
                }
            }
    }

    /// Whether the snapshot holds more of such a leaf, outside the containers and elements that are gone. Then the
    /// writer of the save cannot have read the snapshot. A leaf that went with its container does not count: a game may
    /// sell an object that holds a record.
    var rulesSnapshotOut: Bool { !lostLeaves.isEmpty }

    private var lowered: [LeafChange] { changes.filter { $0.lostPlace && !trimmed.contains($0.path) } }

    private var lostLeaves: [LeafChange] {
        let lost = lowered
        guard !lost.isEmpty else { return [] }
        let gone = topmostGone
        return gone.isEmpty ? lost : lost.filter { $0.path.nearest(in: gone) == nil }
    }

    /// The outermost containers and elements that are gone.
    var topmostGone: Set<DocumentPath> {
        var gone = Set<DocumentPath>()
        for change in changes {
            switch change.change {
            // A union that is gone counts as the loss of all its elements.
            case .containerVanished where change.rule.merge == .union: continue
            case .containerVanished, .elementVanished: gone.insert(change.path)
            default: continue
            }
        }
        return gone.filter { path in path.parent?.nearest(in: gone) == nil }
    }

    /// A place, or one element of a set there.
    struct Item: Hashable {
        let path: DocumentPath
        var element: JSONValue?
    }

    /// The grow-only places, and elements of unions, of which the snapshot holds more than the save does.
    var lostItems: Set<Item> { items(lostLeaves) { _, removed in removed } }

    /// The unions that are gone as a whole, and not only elements of them.
    var vanishedUnions: Set<DocumentPath> {
        var gone = Set<DocumentPath>()
        for change in changes where change.rule.merge == .union && change.change == .containerVanished {
            gone.insert(change.path)
        }
        return gone
    }

    /// How many things the save lowered or took out: a union that is gone with all its elements is one of them.
    var lostThings: Int {
        let unions = vanishedUnions
        return Set(lostItems.map { unions.contains($0.path) ? Item(path: $0.path) : $0 }).count
    }

    /// All places and elements that differ.
    var changedItems: Set<Item> { items(changes) { $0 + $1 } }

    private func items(_ changes: [LeafChange], _ chosen: ([JSONValue], [JSONValue]) -> [JSONValue]) -> Set<Item> {
        var result = Set<Item>()
        for change in changes {
            if case .elements(let added, let removed) = change.change {
                for element in chosen(added, removed) { result.insert(Item(path: change.path, element: element)) }
            } else {
                result.insert(Item(path: change.path))
            }
        }
        return result
    }

    /// This difference without what the save removed, as far as the snapshot of another difference to the same save lacks it
    /// as well. O(changes).
    func keeping(whatLacks other: DocumentDiff) -> DocumentDiff {
        let gone = topmostGone.intersection(other.topmostGone)
        let removed = other.items(other.changes.filter(\.takesOut)) { $1 }
        return replacing(
            changes.compactMap { change in
                let path = change.path
                if gone.contains(path) || path.nearest(in: gone) != nil { return change }
                if case .elements(let added, let taken) = change.change {
                    let left = taken.filter { removed.contains(Item(path: path, element: $0)) }
                    guard !added.isEmpty || !left.isEmpty else { return nil }
                    return LeafChange(path: path, rule: change.rule, change: .elements(added: added, removed: left))
                }
                guard change.takesOut else { return change }
                return removed.contains(Item(path: path)) ? change : nil
            })
    }

    /// Whether over half of the snapshot's leaves vanished or became null, false, 0, "" or [].
    ///
    /// Where only such values vanished, as after a reset, nothing is lost. In a snapshot of fewer than four leaves a
    /// value that became zero or false may well be an ordinary edit (a purse emptied), so there only leaves that
    /// vanished or became null count. The version that a save states is not what it holds: a save without it may be just as
    /// empty, and one with it is no fuller.
    func isMostlyLoss(of snapshot: JSONDocument, rules: RuleSet) -> Bool {
        let version = Upcaster.Version(rules)?.place
        let losses = changes.filter { $0.isLoss(emptied) && $0.path != version }
        guard losses.contains(where: \.heldSomething) else { return false }
        let others = places(whereOtherThingsStand: losses)
        // The difference only says that the element is gone: its content is in the snapshot.
        let elements = Set(losses.filter(\.isOfElement).map(\.path))
        let suspicious = losses.filter { loss in
            !others.contains(loss.path) && (elements.isEmpty || loss.path.nearest(in: elements) == nil)
        }
        let all = DocumentDiff(from: nil, to: snapshot, rules: rules).changes.filter { !$0.isOfElement }
        let leaves = all.filter { $0.path != version }
        let gone = elements.isEmpty ? 0 : leaves.count { $0.path.nearest(in: elements) != nil }
        let lost = suspicious.count + gone
        if leaves.count >= 4 { return lost * 2 > leaves.count }
        // Three values and a version: all three became zero, which is more than half of either number.
        if all.count >= 4, lost * 2 > all.count { return true }
        return (suspicious.count { $0.isRemoval(emptied) } + gone) * 2 > leaves.count
    }

    /// The lost places that now hold a value of another kind: a container where there was a scalar, or the other way
    /// round. The whole document becoming one value does not count.
    private func places(whereOtherThingsStand losses: [LeafChange]) -> Set<DocumentPath> {
        var (appeared, above) = (Set<DocumentPath>(), Set<DocumentPath>())
        for change in changes {
            guard case .value(nil, let new?) = change.change, !new.isEmptyContainer, new != .null,
                change.path != .root
            else { continue }
            appeared.insert(change.path)
            var place = change.path.parent
            while let here = place, above.insert(here).inserted { place = here.parent }
        }
        return Set(
            losses.map(\.path).filter { path in
                if above.contains(path) { return true }
                var place: DocumentPath? = path
                while let here = place {
                    if appeared.contains(here) { return true }
                    place = here.parent
                }
                return false
            })
    }

    /// The changes that count if a save is of another version and its snapshot cannot be upcast to that version. A
    /// value that is gone or empty may have become something else, so losses are left out. For a counter, only the
    /// present amount counts.
    package var converted: [LeafChange] {
        changes.compactMap { change in
            if change.isLoss(emptied) { return nil }
            switch change.change {
            case .value(_?, let new?) where change.rule.merge == .counter:
                return LeafChange(path: change.path, rule: change.rule, change: .value(old: nil, new: new))
            case .value(_, nil), .elementVanished, .containerVanished: return nil
            case .elements(let added, _):
                if added.isEmpty { return nil }
                return LeafChange(path: change.path, rule: change.rule, change: .elements(added: added, removed: []))
            default: return change
            }
        }
    }
}

extension LeafChange {
    /// Whether the change is about a keyed element as a whole.
    var isOfElement: Bool {
        switch change {
        case .elementAppeared, .elementVanished, .elementTouched: true
        default: false
        }
    }

    /// Whether a value or a keyed element was removed, or a set lost all its elements.
    ///
    /// - Parameter emptied: Sets that are empty now; a set that only shrank is an ordinary edit.
    fileprivate func isRemoval(_ emptied: Set<DocumentPath>) -> Bool {
        switch change {
        case .value(_?, nil), .value(_?, .null?), .elementVanished: true
        case .elements(_, let removed): !removed.isEmpty && emptied.contains(path)
        default: false
        }
    }

    /// Whether the place held something that can be lost: null, false, 0, "" and empty containers cannot.
    fileprivate var heldSomething: Bool {
        switch change {
        case .value(let old?, _): !old.isNothing
        case .elements(_, let removed): !removed.isEmpty
        default: true
        }
    }

    fileprivate func isLoss(_ emptied: Set<DocumentPath>) -> Bool {
        if isRemoval(emptied) { return true }
        guard case .value(_?, let new?) = change else { return false }
        return new != .null && new.isNothing
    }
}
