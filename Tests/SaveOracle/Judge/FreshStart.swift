/// Judges what a file shows after a reset: nothing of what was there, as the table in `MergeRules.md` says.
package struct FreshStart {
    private let rules: RuleTable
    package private(set) var findings: [Finding] = []
    /// The kind of a finding about what the reset does not cover.
    package static let isMoved = "moved by a reset"

    /// - Parameters:
    ///   - former: What the file held before.
    ///   - earlier: What it held before that, where another device may not have known better.
    ///   - found: What it holds.
    ///   - covers: Whether a member of the document starts over; all others are to stay as they were.
    package init(rules: RuleTable, former: JSON?, earlier: JSON? = nil, found: JSON?, covers: (String) -> Bool) {
        self.rules = rules
        var names: [String] = []
        for member in (former?.members ?? []) + (found?.members ?? []) where !names.contains(member.name) {
            names.append(member.name)
        }
        for name in names {
            let place = Place.root.appending(.member(name))
            if !covers(name) || rules.rule(at: place).merge == .local {
                guard !same(former?[name], found?[name]) else { continue }
                note(Self.isMoved, place, former?[name], found?[name])
            } else {
                visit(place, former?[name], earlier?[name], found?[name])
            }
        }
    }

    private mutating func visit(_ place: Place, _ former: JSON?, _ earlier: JSON?, _ found: JSON?) {
        let rule = rules.rule(at: place)
        if rule.merge == .local { return }
        if place.steps.count == 1, let former, rule.canRead(former), let fresh = fresh(rule, former) {
            // Of a list that was empty before, nothing need be left.
            if found.map(fresh) != true, found != nil || !isEmptyContainer(former) {
                note("not started over", place, .string("a fresh start"), found)
            }
            return
        }
        guard let found else { return }
        if let fresh = fresh(rule, found) {
            if !fresh(found) {
                note("back after a reset", place, nil, found)
            } else if former == nil, earlier == nil {
                note("not there before a reset", place, nil, found)
            }
            return
        }
        let parts = rules.parts(of: found, at: place)
        if !parts.isEmpty || isEmptyContainer(found) {
            let known = [former, earlier].map { $0.map { rules.parts(of: $0, at: place) } ?? [] }
            for part in parts {
                let values = known.map { $0.first { $0.step == part.step }?.value }
                visit(place.appending(part.step), values[0], values[1], part.value)
            }
            return
        }
        note("back after a reset", place, nil, found)
    }

    private func isEmptyContainer(_ value: JSON) -> Bool { value.isContainer && value.isEmpty }

    /// What stands where something starts from nothing; `nil` where it is gone then.
    private func fresh(_ rule: Rule, _ value: JSON) -> ((JSON) -> Bool)? {
        switch rule.merge {
        case .counter: value.isContainer ? nil : { rule.number($0)?.isZero ?? false }
        case .flag: value.isContainer ? nil : { same($0, .bool(false)) }
        case .union where rule.reading == .bits: value.isContainer ? nil : { rule.bits($0) == 0 }
        case .union, .set: value.elements == nil ? nil : { $0.elements?.isEmpty ?? false }
        default: nil
        }
    }

    private mutating func note(_ kind: String, _ place: Place, _ expected: JSON?, _ found: JSON?) {
        findings.append(
            Finding(
                .manyWriters, kind, rule: rules.rule(at: place).yaml, place: "\(place)",
                expected: expected?.text(.spaced) ?? "nothing", found: found?.text(.spaced) ?? "nothing"))
    }
}
