import LosslessJSON

/// Which of several values is nearest to the save's.
extension BaseVotes {
    /// The indexes of the numbers that are nearest to the save's. Empty if all are equally near, or if the save's
    /// number is beyond all of them and the rule is no counter.
    static func nearest(_ entries: [LeafChange]) -> [Int] {
        let gaps = entries.map(Self.gap)
        let known = gaps.compactMap(\.self)
        guard let least = known.map(\.magnitude).min() else { return [] }
        let isBeyond = known.allSatisfy(\.isNegative) || !known.contains(where: \.isNegative)
        if isBeyond, known.count == gaps.count, entries.contains(where: { $0.rule.merge != .counter }) { return [] }
        let nearest = gaps.indices.filter { gaps[$0]?.magnitude == least }
        return nearest.count < gaps.count ? nearest : []
    }

    /// The indexes of the lists or objects (each one value by its rule) that share most with the save's. Empty if all
    /// share as much, or if the rule is a choice. O(size).
    static func mostAlike(_ entries: [LeafChange]) -> [Int] {
        guard entries[0].rule.merge != .choice else { return [] }
        let strange = entries.map { entry -> Int? in
            guard case .value(let old?, let new?) = entry.change else { return nil }
            return old.strangeness(to: new)
        }
        guard let least = strange.compactMap(\.self).min(), strange.allSatisfy({ $0 != nil }) else { return [] }
        let nearest = strange.indices.filter { strange[$0] == least }
        return nearest.count < strange.count ? nearest : []
    }

    /// The difference from a snapshot's number to the save's; `nil` where one of the two is no number.
    static func gap(_ change: LeafChange) -> ExactDecimal? {
        guard case .value(let old?, let new?) = change.change,
            case .number(let before)? = Ordinal(old, by: change.rule),
            case .number(let after)? = Ordinal(new, by: change.rule)
        else { return nil }
        return try? after.subtracting(before)
    }

    /// Whether a counter of a snapshot is just one or two away from the save's.
    static func isAStep(_ change: LeafChange) -> Bool {
        guard change.rule.merge == .counter, let gap = gap(change)?.magnitude else { return false }
        return gap == ExactDecimal(1) || gap == ExactDecimal(2)
    }

    /// Whether a save's number is clearly a change of the snapshot's number, and not a number that began at zero. It
    /// must be at least eight times as far from zero as from the snapshot's number, as a purse alone must be to decide
    /// for an older snapshot.
    static func isClear(_ change: LeafChange) -> Bool {
        guard case .value(_, let new?) = change.change, case .number(let amount)? = Ordinal(new, by: change.rule),
            let gap = gap(change)
        else { return true }
        return !isNear(amount, to: gap, doublingsForOlder)
    }

    /// Whether one amount is less than another one doubled so many times.
    static func isNear(_ amount: ExactDecimal, to other: ExactDecimal, _ doublings: Int) -> Bool {
        doubled(other, doublings).map { $0 > amount.magnitude } ?? true
    }

    /// The magnitude of a number, doubled so many times; `nil` where that takes too many digits.
    static func doubled(_ number: ExactDecimal, _ times: Int) -> ExactDecimal? {
        var result = number.magnitude
        for _ in 0..<times {
            guard let twice = try? result.adding(result) else { return nil }
            result = twice
        }
        return result
    }
}

extension DocumentDiff {
    /// The numbers that are nearer to the save's than those of another snapshot, but by less than a purse alone must be
    /// to decide for this one: whoever earns or spends comes nearer to one of two numbers by chance.
    ///
    /// - Parameter isOlder: Whether this snapshot is the older one of the two.
    func numbersHardlyNearer(than other: DocumentDiff, isOlder: Bool) -> Set<DocumentPath> {
        var gaps: [DocumentPath: ExactDecimal] = [:]
        for change in other.changes { gaps[change.path] = BaseVotes.gap(change) }
        let doublings = isOlder ? BaseVotes.doublingsForOlder : BaseVotes.doublingsForNewer
        return changes.reduce(into: []) { places, change in
            guard let gap = BaseVotes.gap(change), let rival = gaps[change.path],
                gap.magnitude < rival.magnitude, BaseVotes.isNear(rival, to: gap, doublings)
            else { return }
            places.insert(change.path)
        }
    }
}

extension JSONValue {
    /// How much two containers of one kind do not share: elements of a list, and values at the places of an object;
    /// `nil` for other values.
    fileprivate func strangeness(to other: JSONValue) -> Int? {
        switch (self, other) {
        case (.array(let old), .array(let new)):
            var counts: [JSONValue: Int] = [:]
            for element in new { counts[element, default: 0] += 1 }
            for element in old { counts[element, default: 0] -= 1 }
            return counts.values.reduce(0) { $0 + abs($1) }
        case (.object(let old), .object(let new)):
            var count = 0
            let values = Dictionary(new.map { ($0.key, $0.value) }) { first, _ in first }
            for member in old {
                guard let value = values[member.key] else {
                    count += member.value.leafCount
                    continue
                }
                if member.value != value { count += member.value.strangeness(to: value) ?? 2 }
            }
            let names = Set(old.map(\.key))
            return new.reduce(count) { $0 + (names.contains($1.key) ? 0 : $1.value.leafCount) }
        default: return nil
        }
    }

    /// The number of values in a container; 1 for an empty container, and for a value that is no container.
    private var leafCount: Int {
        switch self {
        case .array(let elements): max(1, elements.count)
        case .object(let members): max(1, members.reduce(0) { $0 + $1.value.leafCount })
        default: 1
        }
    }
}
