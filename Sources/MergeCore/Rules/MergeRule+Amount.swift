import LosslessJSON

extension MergeRule {
    /// The amount by which a counter moved from one value to another, below zero where it fell; `nil` where one of the two is
    /// no number by this rule. A counter that showed nothing before counts as 0.
    func amount(from old: JSONValue?, to new: JSONValue) -> ExactDecimal? {
        guard case .number(let after)? = Ordinal(new, by: self) else { return nil }
        guard let old else { return after }
        guard case .number(let before)? = Ordinal(old, by: self) else { return nil }
        return try? after.subtracting(before)
    }
}
