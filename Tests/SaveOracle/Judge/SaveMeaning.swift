/// What one save means beside the one it came from: play, or something that a person has to be asked.
///
/// The lines of "What a save means", counted place by place. A list under `union` or `set` is as many places as it
/// has elements; an object, an element or a list that came or went with all that is in it is one.
package struct SaveMeaning {
    /// Places that gained what only play gives.
    package private(set) var up = 0
    /// Places that only grow and lost, and containers that are gone with one of them.
    package private(set) var down = 0
    /// Of `down` those that stand in no container that is gone.
    package private(set) var lowered = 0
    /// Members and elements that are gone.
    package private(set) var removed = 0
    /// Whether a rule shows something else than the save, by itself: it keeps what was lowered, or shows no more than
    /// its limit.
    package private(set) var isPutBack = false
    /// Whether a container stands where a value stood, or the other way round: the list says nothing of that.
    package private(set) var isMixed = false
    /// Leaves of the base; of them those that are gone or null, and those that became something empty.
    private var (leaves, gone, emptied) = (0, 0, 0)
    /// Leaves of the base that only grow and hold something; those of them that are lower in what is left.
    private var (growOnly, loweredPlaces) = (0, 0)
    /// Leaves of the base that are another value in the save, or gone.
    private var changed = 0
    /// Whether any of these held something before: of null, false, 0, "" and what is empty nothing can be lost.
    private var isAnythingLost = false
    private let rules: RuleTable
    private let wasSpent: (Place) -> Bool

    /// - Parameter wasSpent: Whether anybody spent of the counter at a place.
    package init(
        from base: JSON?,
        to side: JSON?,
        rules: RuleTable,
        wasSpent: @escaping (Place) -> Bool = { _ in true }
    ) {
        (self.rules, self.wasSpent) = (rules, wasSpent)
        visit(.root, base, side, isInside: false)
    }

    /// Whether over half of what there was is gone or empty. Of fewer than four places one that became 0 or empty may
    /// well be play (a purse that was emptied).
    package var isMostlyGone: Bool { isAnythingLost && (leaves < 4 ? gone : gone + emptied) * 2 > leaves }

    /// Whether it is a question.
    package var isQuestion: Bool {
        if isMostlyGone { return true }
        if lowered == 0 { return false }
        return up == 0 || up <= down || removed > up || isOfAnotherGame
    }

    /// Whether two places or more are lower, and those are over a third of what only grows, or over two thirds of all
    /// values are others: so is the save of another slot.
    private var isOfAnotherGame: Bool {
        loweredPlaces > 1 && (loweredPlaces * 3 > growOnly || changed * 3 > leaves * 2)
    }

    /// Whether it may be one, beside a base that is not known for sure.
    package var mayBeAsked: Bool { down > 0 || isMixed || (gone + emptied) * 2 >= max(1, leaves) }

    // MARK: Places

    /// - Parameter isInside: It lies in something that came or went as a whole, which counts as one.
    private mutating func visit(_ place: Place, _ base: JSON?, _ side: JSON?, isInside: Bool) {
        let rule = rules.rule(at: place)
        if rule.merge == .local { return }
        switch (isContainer(base, place), isContainer(side, place)) {
        case (false, false): return leaf(place, rule, base, side, isInside: isInside)
        case (true, false) where side == nil || isEmptied(base, side):
            if side == nil, !isInside {
                removed += 1
                if base.map({ holdsGrowOnly($0, place) }) ?? false { down += 1 }
            }
        case (false, true) where base == nil || isEmptied(side, base):
            if base != nil { leaves += 1 } else if !isInside { up += 1 }
        case (true, true): break
        default:
            isMixed = true
            return
        }
        let inside = isInside || base == nil || side == nil
        for step in steps(base, side, place) {
            visit(place.appending(step), base?.at(step), side?.at(step), isInside: inside)
        }
    }

    /// Whether a value is taken apart by the rules. A list of elements is one value here.
    private func isContainer(_ value: JSON?, _ place: Place) -> Bool {
        guard let value, value.isContainer, !value.isEmpty, !rules.rule(at: place).takesAll else { return false }
        if value.members != nil { return true }
        switch rules.shape(at: place) {
        case .value, .elements: return false
        case .indexed, .keyed: return true
        }
    }

    private func isEmptied(_ full: JSON?, _ empty: JSON?) -> Bool {
        guard let full, let empty, empty.isContainer, empty.isEmpty else { return false }
        return (full.members == nil) == (empty.members == nil)
    }

    private func steps(_ base: JSON?, _ side: JSON?, _ place: Place) -> [Place.Step] {
        var steps: [Place.Step] = []
        for value in [base, side] {
            for step in value?.steps(rules.shape(at: place)) ?? [] where !steps.contains(step) { steps.append(step) }
        }
        return steps
    }

    private func holdsGrowOnly(_ value: JSON, _ place: Place) -> Bool {
        let rule = rules.rule(at: place)
        if rule.merge == .local { return false }
        guard isContainer(value, place) else { return isLoss(rule, value, nil) }
        return value.steps(rules.shape(at: place)).contains { step in
            value.at(step).map { holdsGrowOnly($0, place.appending(step)) } ?? false
        }
    }

    // MARK: Leaves

    private mutating func leaf(_ place: Place, _ rule: Rule, _ base: JSON?, _ side: JSON?, isInside: Bool) {
        if let base {
            leaves += 1
            let isSame = same(base, side, spelling: false)
            if side == nil || (!isSame && same(side, .null)) {
                gone += 1
            } else if !isSame, side!.isEmpty {
                if isList(base, rule) { gone += 1 } else { emptied += 1 }
            }
            let isLost = side == nil || !isSame && (same(side, .null) || side!.isEmpty)
            if isLost, !base.isEmpty { isAnythingLost = true }
            if holdsGrowOnly(base, place) { growOnly += 1 }
            if !hasSameContent(rule, base, side) { changed += 1 }
        }
        if isInside { return }
        if isList(base, rule) || isList(side, rule) { return list(rule, base, side) }
        guard let base else {
            up += 1
            return
        }
        if side == nil { removed += 1 }
        if rule.onlyGrows, rule.isLowered(from: base, to: side) { isPutBack = true }
        if isLoss(rule, base, side) {
            (down, lowered, loweredPlaces) = (down + 1, lowered + 1, loweredPlaces + 1)
        }
        // Bits may have come and gone at once.
        if let side, isGain(place, rule, base, side) { up += 1 }
    }

    private func isLoss(_ rule: Rule, _ base: JSON, _ side: JSON?) -> Bool {
        // False is nothing that anybody could lose.
        guard rule.onlyGrows, rule.merge != .flag || same(base, .bool(true)) else { return false }
        return rule.isLowered(from: base, to: side)
    }

    private func isList(_ value: JSON?, _ rule: Rule) -> Bool {
        guard rule.merge == .union || rule.merge == .set, rule.reading == nil else { return false }
        return value?.elements?.isEmpty == false
    }

    /// Whether a value is the same; of a list that is a set, whether it has the same elements.
    private func hasSameContent(_ rule: Rule, _ base: JSON, _ side: JSON?) -> Bool {
        guard isList(base, rule) else { return same(base, side, spelling: false) }
        return Set((base.elements ?? []).map(\.identity)) == Set((side?.elements ?? []).map(\.identity))
    }

    private mutating func list(_ rule: Rule, _ base: JSON?, _ side: JSON?) {
        let (old, new) = (Set((base?.elements ?? []).map(\.identity)), Set((side?.elements ?? []).map(\.identity)))
        up += new.subtracting(old).count
        let gone = old.subtracting(new).count
        let lost = isTrimming(rule, base, side) ? 0 : gone
        // More than the limit is not shown.
        if let limit = rule.limit, new.count > limit { isPutBack = true }
        if rule.merge == .union {
            (down, lowered, loweredPlaces) = (down + lost, lowered + lost, loweredPlaces + min(lost, 1))
            if gone > 0 || (base != nil && side == nil) { isPutBack = true }
            removed += lost
        } else {
            removed += side == nil ? 1 : lost
        }
    }

    /// Whether what is gone from a full list is what its rule's `limit` leaves out first, and as much came: a game that
    /// keeps no more than that by itself loses nothing by it.
    private func isTrimming(_ rule: Rule, _ base: JSON?, _ side: JSON?) -> Bool {
        guard let limit = rule.limit, let old = base?.elements, let new = side?.elements else { return false }
        let (olds, news) = (Set(old.map(\.identity)), Set(new.map(\.identity)))
        let lost = old.filter { !news.contains($0.identity) }
        let added = new.filter { !olds.contains($0.identity) }
        return lost.count <= added.count && news.count >= limit
            && lost.allSatisfy { gone in added.allSatisfy { rule.shows($0, before: gone) } }
    }

    private func isGain(_ place: Place, _ rule: Rule, _ base: JSON, _ side: JSON) -> Bool {
        switch rule.merge {
        case .flag: return !same(base, .bool(true)) && same(side, .bool(true))
        case .union: return (rule.bits(side) ?? 0) & ~(rule.bits(base) ?? 0) != 0
        case .max, .min:
            if rule.isNone(side) || !rule.canRead(side) { return false }
            return rule.isNone(base) || rule.compare(side, base) == rule.better
        case .counter:
            guard let old = rule.number(base), let new = rule.number(side) else { return false }
            return old < new && !wasSpent(place)
        default: return false
        }
    }
}

extension JSON {
    /// The steps from a container to what is in it.
    func steps(_ shape: RuleTable.Shape) -> [Place.Step] {
        if let members { return members.map { .member($0.name) } }
        guard let elements else { return [] }
        if case .keyed(let key) = shape { return elements.map { .element(key, $0[key]?.identity ?? "") } }
        return elements.indices.map { .index($0) }
    }
}
