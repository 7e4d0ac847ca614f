import LosslessJSON

extension DocumentDiff {
    /// Whether the image holds more of a leaf that only grows than the save does: its writer cannot have read it.
    package var losesGrowOnly: Bool { changes.contains(where: \.lostPlace) }

    /// A place, or one element of a set there.
    struct Item: Hashable {
        let path: DocumentPath
        var element: JSONValue?
    }

    /// What only grows and what the image holds more of than the save does.
    var lostItems: Set<Item> { items(changes.filter(\.lostPlace)) { _, removed in removed } }

    /// Everything that differs.
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

    /// Whether over half of the image's leaves vanished or became null, false, 0, "" or [].
    ///
    /// In an image of fewer than four leaves a value that became zero or false may well be an ordinary edit (a purse
    /// emptied), so there only leaves that vanished or became null count.
    func isMostlyLoss(of image: JSONDocument, rules: RuleSet) -> Bool {
        let losses = changes.filter { $0.isLoss(emptied) }
        guard !losses.isEmpty else { return false }
        let others = places(whereOtherThingsStand: losses)
        let suspicious = losses.filter { !others.contains($0.path) }
        let total = DocumentDiff(from: nil, to: image, rules: rules).changes.count
        if total >= 4 { return suspicious.count * 2 > total }
        return suspicious.count { $0.isRemoval(emptied) } * 2 > total
    }

    /// The places among lost ones that hold another kind of thing now: a container where a value stood, or the other
    /// way round. The whole document becoming one value is no such thing.
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

    /// What a save of another version may say beside an image that cannot be lifted: what is gone or empty there may
    /// have become something else, and a counter says nothing but how much it is now.
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
    /// - Parameter emptied: Sets that hold nothing any more; one that only shrank is an ordinary edit.
    fileprivate func isRemoval(_ emptied: Set<DocumentPath>) -> Bool {
        switch change {
        case .value(_?, nil), .value(_?, .null?), .elementVanished: true
        case .elements(_, let removed): !removed.isEmpty && emptied.contains(path)
        default: false
        }
    }

    fileprivate func isLoss(_ emptied: Set<DocumentPath>) -> Bool {
        if isRemoval(emptied) { return true }
        guard case .value(_?, let new?) = change else { return false }
        switch new {
        case .bool(false): return true
        case .number(let number): return number == JSONNumber(0)
        case .string(let text): return text.bytes.isEmpty
        default: return new.isEmptyContainer
        }
    }
}
