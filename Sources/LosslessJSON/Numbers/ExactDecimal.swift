/// An exact decimal number of any size.
///
/// Comparing never expands an exponent, so `1e1000000000` against `1` costs no more than `2` against `1`.
/// Values are kept in one normal form, so equality is that of the value: `1e3`, `1000` and `1000.0` are the same.
public struct ExactDecimal: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The largest power of ten, in either direction, of a value's first digit.
    static let greatestExponent = 999_999_999_999_999

    /// The storage of a value. Whole numbers that fit into 64 bits are always `small`, everything else is always `big`,
    /// so that equal values have equal storage.
    enum Storage: Hashable, Sendable {
        case small(Int64)
        case big(Big)
    }

    /// Sign, digits and the power of ten of the last digit.
    struct Big: Hashable, Sendable {
        var isNegative: Bool
        /// Values 0 to 9, most significant first; neither the first nor the last is 0. Empty only for zero.
        var digits: [UInt8]
        var exponent: Int

        /// The power of ten of the first digit.
        var leadingExponent: Int { exponent + digits.count - 1 }
    }

    let storage: Storage

    init(storage: Storage) {
        self.storage = storage
    }

    /// The number 0.
    public static let zero = ExactDecimal(0)

    /// A whole number.
    public init(_ value: Int) {
        storage = .small(Int64(value))
    }

    /// Whether this is 0, however it was spelled.
    public var isZero: Bool { storage == .small(0) }

    /// Whether the value is below zero.
    public var isNegative: Bool {
        switch storage {
        case .small(let value): value < 0
        case .big(let value): value.isNegative
        }
    }

    /// The value with the other sign.
    public var negated: ExactDecimal {
        switch storage {
        case .small(let value):
            let (result, overflow) = Int64(0).subtractingReportingOverflow(value)
            if !overflow { return ExactDecimal(storage: .small(result)) }
            var expanded = self.expanded
            expanded.isNegative = false
            return ExactDecimal(storage: .big(expanded))
        case .big(var value):
            value.isNegative.toggle()
            return Self.normalized(value)
        }
    }

    /// The value without its sign.
    public var magnitude: ExactDecimal { isNegative ? negated : self }

    /// The value as an integer, or nil when it has a fraction or does not fit.
    public var int: Int? {
        guard case .small(let value) = storage else { return nil }
        return Int(exactly: value)
    }

    /// The same as ``text``.
    public var description: String { text }

    /// The value as sign, digits and exponent, also for small whole numbers.
    var expanded: Big {
        switch storage {
        case .big(let value): return value
        case .small(let value):
            var digits: [UInt8] = []
            var rest = value.magnitude
            var exponent = 0
            while rest > 0, rest % 10 == 0 {
                rest /= 10
                exponent += 1
            }
            while rest > 0 {
                digits.append(UInt8(rest % 10))
                rest /= 10
            }
            digits.reverse()
            return Big(isNegative: value < 0, digits: digits, exponent: exponent)
        }
    }

    /// Brings digits with zeros at either end into the one form a value has.
    static func normalized(_ value: Big) -> ExactDecimal {
        var value = value
        let trailing = value.digits.reversed().prefix { $0 == 0 }.count
        value.digits.removeLast(trailing)
        value.exponent += trailing
        value.digits.removeFirst(value.digits.prefix { $0 == 0 }.count)
        if value.digits.isEmpty { return zero }
        if value.exponent >= 0, value.leadingExponent <= 18, let small = value.int64 {
            return ExactDecimal(storage: .small(small))
        }
        return ExactDecimal(storage: .big(value))
    }

    /// Compares by exact value. O(digits), whatever the exponents are.
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if case .small(let leftValue) = left.storage, case .small(let rightValue) = right.storage {
            return leftValue < rightValue
        }
        if left.isNegative != right.isNegative { return left.isNegative }
        let (leftValue, rightValue) = (left.expanded, right.expanded)
        return left.isNegative
            ? rightValue.isSmallerInMagnitude(than: leftValue) : leftValue.isSmallerInMagnitude(than: rightValue)
    }
}

extension ExactDecimal.Big {
    /// Whether this value is nearer to zero than the other one. The digits of both must have no zeros at either end.
    func isSmallerInMagnitude(than other: Self) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        if leadingExponent != other.leadingExponent { return leadingExponent < other.leadingExponent }
        return digits.withUnsafeBufferPointer { mine in
            other.digits.withUnsafeBufferPointer { ByteRuns.precedes(mine, $0) }
        }
    }

    /// The value as a 64-bit integer, for at most 19 digits and an exponent that is not negative; nil when it does not
    /// fit.
    var int64: Int64? {
        var result: Int64 = 0
        for position in 0...leadingExponent {
            let digit = position < digits.count ? Int64(digits[position]) : 0
            let (tens, tooLarge) = result.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = tens.subtractingReportingOverflow(digit)
            if tooLarge || overflow { return nil }
            result = sum
        }
        // Counted downwards, because there is one more value below zero than above.
        if isNegative { return result }
        return result == .min ? nil : -result
    }
}
