import LosslessJSON

extension JSONValue {
    /// Whether a game that counts with double precision (IEEE 754) writes this number as the other one: both are one double,
    /// the other one has no more digits than a double needs (17), and at least one has a fraction or an exponent. Hearth adds
    /// amounts up exactly, so a sum may have more digits than a double keeps. Such a game has earned nothing by that.
    func isSameDouble(as other: JSONValue) -> Bool {
        guard case .number(let one) = self, case .number(let two) = other, one.isFraction || two.isFraction,
            two.digitCount <= 17, let first = Double(one.text), let second = Double(two.text)
        else { return false }
        return first == second && first.isFinite
    }
}

extension JSONNumber {
    fileprivate var isFraction: Bool { text.utf8.contains { ".eE".utf8.contains($0) } }

    /// The digits from the first one that is not 0, without those of the exponent.
    fileprivate var digitCount: Int {
        let digits = text.utf8.prefix { !"eE".utf8.contains($0) }.filter { !"-.".utf8.contains($0) }
        return digits.drop { $0 == UInt8(ascii: "0") }.count
    }
}
