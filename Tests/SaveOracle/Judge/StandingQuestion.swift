/// Judges what the files show while a save is asked about: what stood there, and what can lose nothing.
///
/// Grow-only gains are taken up, and what the profile never had. No counter moves, nothing that is known is overwritten
/// or removed, and what was there once and is gone does not return: of a gain that an earlier state had and the base has
/// not, nobody says that it must come.
package struct StandingQuestion {
    private let rules: RuleTable
    private let known: KnownPlaces
    private let isOwn: Bool
    private let open: [String]
    private let earlier: [JSON]
    private let wasReset: Bool
    package private(set) var findings: [Finding] = []

    /// - Parameters:
    ///   - known: What ever stood in the files before the save.
    ///   - base: What the file held before the save.
    ///   - save: What is asked about.
    ///   - found: What a file holds.
    ///   - isOwn: Whether it is the file of the device that saved: of an open choice each one shows its own value.
    ///   - open: Places of choices that were open before: a device that wrote none of the values may show any of them.
    ///   - earlier: States of the files before the base.
    ///   - wasReset: Whether anything was reset. The game may not have read that, and then a gain is one from before the
    ///     reset, which must not come back.
    package init(
        rules: RuleTable, known: KnownPlaces, base: JSON?, save: JSON?, found: JSON?, isOwn: Bool, open: [String],
        earlier: [JSON] = [], wasReset: Bool = false
    ) {
        (self.rules, self.known, self.isOwn, self.open) = (rules, known, isOwn, open)
        (self.earlier, self.wasReset) = (earlier, wasReset)
        visit(.root, base, save, found)
    }

    private mutating func visit(_ place: Place, _ base: JSON?, _ save: JSON?, _ found: JSON?) {
        let rule = rules.rule(at: place)
        if rule.merge == .local || rule.merge == .choice && !isOwn { return }
        guard let base else { return appeared(place, rule, save, found) }
        guard let save, !same(base, save) else { return expect(base, place, rule, found) }
        guard let found else { return note("gone while asked", place, rule, base, found) }
        if rule.takesAll { return leaf(place, rule, base, save, found) }
        let shape = rules.shape(at: place)
        if base.members != nil, save.members != nil {
            return parts(place, base, save, found)
        } else if base.elements != nil, save.elements != nil {
            switch shape {
            case .elements: return list(place, rule, base, save, found)
            case .indexed, .keyed: return parts(place, base, save, found)
            case .value: break
            }
        }
        leaf(place, rule, base, save, found)
    }

    private mutating func parts(_ place: Place, _ base: JSON, _ save: JSON, _ found: JSON) {
        let sides = [base, save, found].map { rules.parts(of: $0, at: place) }
        var seen = Set<String>()
        for (step, _) in sides.joined() {
            let inner = place.appending(step)
            guard seen.insert("\(inner)").inserted else { continue }
            let values = sides.map { side in side.first { $0.step == step }?.value }
            visit(inner, values[0], values[1], values[2])
        }
    }

    /// Something that the base had not.
    private mutating func appeared(_ place: Place, _ rule: Rule, _ save: JSON?, _ found: JSON?) {
        guard let save else {
            if found != nil { note("invented", place, rule, nil, found) }
            return
        }
        if !known.contains(place) {
            if !same(save, found) { note("new, and not taken up", place, rule, save, found) }
        } else if let found, !rule.onlyGrows, !save.isContainer, !same(save, found) {
            note("invented", place, rule, save, found)
        }
    }

    private mutating func list(_ place: Place, _ rule: Rule, _ base: JSON, _ save: JSON, _ found: JSON) {
        guard rule.limit == nil else { return }
        let (before, after) = (Set(base.ids), Set(save.ids))
        let new = (save.elements ?? []).filter { element in
            rule.merge == .union || !known.contains(element, in: place)
        }
        let expected = before.union(new.map(\.identity))
        let held = Set(found.ids)
        // Of an element that was removed once, nobody says that it must not come by a union, or that it must.
        let wanted = before.union(new.filter { !known.contains($0, in: place) }.map(\.identity))
        let isRight = held.isSubset(of: expected) && wanted.isSubset(of: held)
        if !isRight || held.count != found.elements?.count || !held.isSubset(of: before.union(after)) {
            let text = "[" + expected.sorted().joined(separator: ", ") + "]"
            findings.append(
                Finding(
                    .oneWriter, "elements while asked", rule: rule.yaml, place: "\(place)", expected: text,
                    found: found.text(.spaced)))
        }
    }

    private mutating func leaf(_ place: Place, _ rule: Rule, _ base: JSON, _ save: JSON, _ found: JSON) {
        guard rule.onlyGrows, rule.canRead(base), rule.canRead(save) else { return expect(base, place, rule, found) }
        if rule.isLowered(from: base, to: save), rule.reading != .bits { return expect(base, place, rule, found) }
        if wasReset || hasFallen(base, place, rule), same(base, found, spelling: false) { return }
        switch rule.merge {
        case .union:
            let all = (rule.bits(base) ?? 0) | (rule.bits(save) ?? 0)
            if rule.bits(found) != all { note("gain while asked", place, rule, .number("\(all)"), found) }
        case .max, .min:
            let isMore = rule.isNone(base) || rule.compare(save, base) == rule.better
            let best = isMore && !rule.isNone(save) ? save : base
            if !same(best, found, spelling: false) { note("gain while asked", place, rule, best, found) }
        default: if !same(save, found) { note("gain while asked", place, rule, save, found) }
        }
    }

    /// Whether an earlier state had more at a place that only grows: a reset took it.
    private func hasFallen(_ base: JSON, _ place: Place, _ rule: Rule) -> Bool {
        earlier.contains { state in state.at(place).map { rule.isLowered(from: $0, to: base) } ?? false }
    }

    private mutating func expect(_ value: JSON, _ place: Place, _ rule: Rule, _ found: JSON?) {
        let withChoices = isOwn && !open.contains { $0.hasPrefix("\(place)".replacing(/\[[^=\]]+=/, with: "/[")) }
        let expected = rules.essence(of: value, at: place, withChoices: withChoices)
        let held = found.flatMap { rules.essence(of: $0, at: place, withChoices: withChoices) }
        // A number that was only spelled anew may or may not be taken.
        if !same(expected, held, spelling: false) {
            note("moved while asked", place, rule, value, found)
        }
    }

    private mutating func note(_ kind: String, _ place: Place, _ rule: Rule, _ expected: JSON?, _ found: JSON?) {
        findings.append(
            Finding(
                .oneWriter, kind, rule: rule.yaml, place: "\(place)", expected: expected?.text(.spaced) ?? "nothing",
                found: found?.text(.spaced) ?? "nothing"))
    }
}

extension JSON {
    fileprivate var ids: [String] { (elements ?? []).map(\.identity) }
}
