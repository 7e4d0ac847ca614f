extension ExactDecimal {
    /// The limit of a sum: how many significant digits it may have, and over how many places two values may be lined
    /// up.
    public static let longestSum = 1_000

    /// The error for a sum that would need more than 1,000 digits, or that is out of ``ExactDecimal``'s range.
    public struct Overflow: Error, Hashable, Sendable, CustomStringConvertible {
        /// The error; it has no details.
        public init() {}
        /// One sentence, for people.
        public var description: String {
            "the sum would need more than \(ExactDecimal.longestSum) digits; use a smaller number"
        }
    }

    /// The exact sum.
    ///
    /// - Throws: ``Overflow`` when the sum, or lining up the two values, needs more than 1,000 digits. That is decided
    ///   before anything of that size is allocated. Also when the first digit of the sum lies beyond the largest power
    ///   of ten.
    public func adding(_ other: ExactDecimal) throws(Overflow) -> ExactDecimal {
        if case .small(let left) = storage, case .small(let right) = other.storage {
            let (sum, overflow) = left.addingReportingOverflow(right)
            if !overflow { return ExactDecimal(storage: .small(sum)) }
        }
        let (left, right) = (expanded, other.expanded)
        guard max(left.digits.count, right.digits.count) <= Self.longestSum else { throw Overflow() }
        if left.digits.isEmpty { return other }
        if right.digits.isEmpty { return self }
        let lowest = min(left.exponent, right.exponent)
        let width = max(left.leadingExponent, right.leadingExponent) - lowest + 1
        guard width <= Self.longestSum else { throw Overflow() }
        let sum = Self.normalized(Self.sum(left, right, lowest: lowest, width: width))
        if case .big(let big) = sum.storage {
            guard big.digits.count <= Self.longestSum, abs(big.leadingExponent) <= Self.greatestExponent else {
                throw Overflow()
            }
        }
        return sum
    }

    /// The exact difference.
    ///
    /// - Throws: ``Overflow`` as for ``adding(_:)``.
    public func subtracting(_ other: ExactDecimal) throws(Overflow) -> ExactDecimal {
        if case .small(let left) = storage, case .small(let right) = other.storage {
            let (difference, overflow) = left.subtractingReportingOverflow(right)
            if !overflow { return ExactDecimal(storage: .small(difference)) }
        }
        return try adding(other.negated)
    }

    /// Adds digit by digit over `width` places from the power `lowest`.
    private static func sum(_ left: Big, _ right: Big, lowest: Int, width: Int) -> Big {
        let rightIsLarger = left.isSmallerInMagnitude(than: right)
        let (larger, smaller) = rightIsLarger ? (right, left) : (left, right)
        // One place more than both need, for the carry.
        var digits = [Int8](repeating: 0, count: width + 1)
        func place(of index: Int, in value: Big) -> Int { width - (value.leadingExponent - index - lowest) }
        for (index, digit) in larger.digits.enumerated() { digits[place(of: index, in: larger)] += Int8(digit) }
        let sign: Int8 = left.isNegative == right.isNegative ? 1 : -1
        for (index, digit) in smaller.digits.enumerated() {
            digits[place(of: index, in: smaller)] += sign * Int8(digit)
        }
        for index in stride(from: width, to: 0, by: -1) {
            if digits[index] > 9 {
                digits[index] -= 10
                digits[index - 1] += 1
            } else if digits[index] < 0 {
                digits[index] += 10
                digits[index - 1] -= 1
            }
        }
        return Big(isNegative: larger.isNegative, digits: digits.map { UInt8($0) }, exponent: lowest)
    }
}
