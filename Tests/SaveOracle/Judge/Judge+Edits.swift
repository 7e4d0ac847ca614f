/// Whether a side did something in a container that is worth more than its removal by another.
extension Judge {
    /// An order alone is no play, and nothing comes of what a rule puts back: neither brings anything back.
    ///
    /// - Parameter spelling: Whether another spelling of the same number is an edit.
    func isEdit(_ side: JSON, of base: JSON?, at place: Place, spelling: Bool = true) -> Bool {
        guard let base else { return true }
        let rule = rules.rule(at: place)
        let shape = rules.shape(at: place)
        if base.elements != nil, side.elements != nil, shape == .elements {
            let (before, after) = (Set(base.elements!.map(\.identity)), Set(side.elements!.map(\.identity)))
            return rule.merge == .union ? !after.isSubset(of: before) : after != before
        }
        guard isTakenApart(base, shape, rule), isTakenApart(side, shape, rule) else {
            return !same(side, base, spelling: spelling) && !isPutBack(rule, from: base, to: side)
        }
        let (steps, others) = (side.steps(shape), base.steps(shape))
        if !steps.allSatisfy(others.contains) { return true }
        return others.contains { step in
            let (inside, before) = (place.appending(step), base.at(step)!)
            if let after = side.at(step) { return isEdit(after, of: before, at: inside, spelling: spelling) }
            return !isPutBack(rules.rule(at: inside), from: before, to: nil)
        }
    }

    private func isTakenApart(_ value: JSON, _ shape: RuleTable.Shape, _ rule: Rule) -> Bool {
        value.isContainer && (shape != .value || value.members != nil) && !rule.takesAll
    }

    /// Whether a rule that only grows keeps what there was, so that nothing came of what was written.
    private func isPutBack(_ rule: Rule, from base: JSON, to side: JSON?) -> Bool {
        guard rule.onlyGrows, base.members == nil, !(side?.isContainer ?? false) else { return false }
        if rule.merge == .flag, side == nil { return true }
        if rule.reading == .bits, let side, (rule.bits(side) ?? 0) & ~(rule.bits(base) ?? 0) != 0 { return false }
        return rule.isLowered(from: base, to: side)
    }
}
