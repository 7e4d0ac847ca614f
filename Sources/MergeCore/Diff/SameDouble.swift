import LosslessJSON

extension JSONValue {
    /// Whether both are one number to a game that counts with double precision (IEEE 754), and at least one is written with
    /// a fraction or an exponent. Hearth adds amounts up exactly, so a sum may have more digits than a double keeps: such a
    /// game writes it with another last digit, and has earned nothing by that.
    func isSameDouble(as other: JSONValue) -> Bool {
        guard case .number(let one) = self, case .number(let two) = other, one.isFraction || two.isFraction,
            let first = Double(one.text), let second = Double(two.text)
        else { return false }
        return first == second && first.isFinite
    }
}

extension JSONNumber {
    fileprivate var isFraction: Bool { text.utf8.contains { ".eE".utf8.contains($0) } }
}
