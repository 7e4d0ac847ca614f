import LosslessJSON

extension DocumentDiff {
    /// Whether the image holds more of a leaf that only grows than the save does: its writer cannot have read it.
    package var losesGrowOnly: Bool {
        changes.contains { change in
            switch (change.rule.merge, change.change) {
            case (.union, .elements(_, let removed)): return !removed.isEmpty
            case (.union, .value(let old?, let new)) where change.rule.reading == .bits:
                guard let before = BitField(old) else { return false }
                return !Set(before.indexes).isSubset(of: new.flatMap { BitField($0) }?.indexes ?? [])
            case (.flag, .value(let old, let new)): return old == .bool(true) && new != .bool(true)
            case (.max, .value(let old?, let new)), (.min, .value(let old?, let new)):
                guard !change.rule.none.contains(old), let before = Ordinal(old, by: change.rule) else { return false }
                guard let new, !change.rule.none.contains(new), let after = Ordinal(new, by: change.rule) else {
                    return true
                }
                guard before.isComparable(with: after) else { return false }
                return change.rule.merge == .max ? after < before : before < after
            default: return false
            }
        }
    }

    /// Whether over half of the image's leaves vanished or became null, false, 0, "" or [].
    ///
    /// In an image of fewer than four leaves a value that became zero or false may well be an ordinary edit (a purse
    /// emptied), so there only leaves that vanished or became null count.
    func isMostlyLoss(of image: JSONDocument, rules: RuleSet) -> Bool {
        let suspicious = changes.count { $0.isLoss(emptied) }
        guard suspicious > 0 else { return false }
        let total = DocumentDiff(from: nil, to: image, rules: rules).changes.count
        if total >= 4 { return suspicious * 2 > total }
        return changes.count { $0.isRemoval(emptied) } * 2 > total
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

    /// What a regressed save may still say: only what its rules can never lose by.
    public var gains: [LeafChange] {
        changes.compactMap { change in
            switch (change.rule.merge, change.change) {
            case (.max, .value(_, .some)), (.min, .value(_, .some)), (.flag, .value(_, .some)): return change
            case (.union, .value(_, .some)) where change.rule.reading == .bits: return change
            case (.union, .elements(let added, _)) where !added.isEmpty:
                return LeafChange(path: change.path, rule: change.rule, change: .elements(added: added, removed: []))
            default: return nil
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
