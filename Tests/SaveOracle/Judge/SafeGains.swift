/// What of a save can be taken up while nobody knows what it means: grow-only gains, and what was never there.
struct SafeGains {
    let rules: RuleTable

    /// The base with that of a side added.
    func taken(_ base: JSON?, _ side: JSON?, at place: Place = .root) -> JSON? {
        let rule = rules.rule(at: place)
        // What is local is for the side's own file alone, and is judged there.
        if rule.merge == .local { return side }
        guard let base, let side else { return base ?? side }
        if rule.takesAll { return base }
        let isList = rule.reading == nil && (rule.merge == .union || rule.merge == .set)
        if isList, let old = base.elements, let new = side.elements {
            let known = Set(old.map(\.identity))
            return .array(old + new.filter { !known.contains($0.identity) })
        }
        if let members = base.members, side.members != nil {
            let kept = members.compactMap { member in
                let inside = place.appending(.member(member.name))
                return taken(member.value, side[member.name], at: inside).map { JSON.Member(member.name, $0) }
            }
            return .object(kept + side.members!.filter { base[$0.name] == nil })
        }
        let shape = rules.shape(at: place)
        if let old = base.elements, let new = side.elements, shape != .value {
            let steps = base.steps(shape)
            let kept = zip(old, steps).compactMap { taken($0, side.at($1), at: place.appending($1)) }
            return .array(kept + zip(new, side.steps(shape)).filter { !steps.contains($0.1) }.map(\.0))
        }
        guard rule.onlyGrows, !base.isContainer, !side.isContainer else { return base }
        return gain(rule, base, side)
    }

    private func gain(_ rule: Rule, _ base: JSON, _ side: JSON) -> JSON {
        switch rule.merge {
        case .flag: return same(side, .bool(true)) ? side : base
        case .union:
            guard let old = rule.bits(base), let new = rule.bits(side), new & ~old != 0 else { return base }
            return .number(String(old | new))
        default:
            guard rule.canRead(side), !rule.isNone(side) else { return base }
            return rule.isNone(base) || rule.compare(side, base) == rule.better ? side : base
        }
    }
}
