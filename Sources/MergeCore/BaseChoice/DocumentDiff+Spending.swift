import LosslessJSON

extension DocumentDiff {
    /// Whether more than half of a counter's amount is gone.
    package var spendsMost: Bool {
        changes.contains { (change: LeafChange) -> Bool in
            guard change.rule.merge == .counter, case .value(let old?, let new) = change.change else { return false }
            guard new != nil else { return true }
            guard case .number(let held)? = Ordinal(old, by: change.rule), let gap = BaseVotes.gap(change),
                gap.isNegative,
                let twice = try? gap.magnitude.adding(gap.magnitude)
            else { return false }
            return held < twice
        }
    }
}
