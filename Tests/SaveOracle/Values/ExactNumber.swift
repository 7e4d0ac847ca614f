/// A decimal number of any size, exactly.
package struct ExactNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Digits without leading and trailing zeros, the weightiest first; none for 0.
    private var digits: [Int]
    /// What power of ten the last digit counts.
    private var power: Int
    private var isNegative: Bool

    package static let zero = ExactNumber(digits: [], power: 0, isNegative: false)

    private init(digits: [Int], power: Int, isNegative: Bool) {
        var (digits, power) = (digits[...], power)
        while digits.first == 0 { digits = digits.dropFirst() }
        while digits.last == 0 {
            digits = digits.dropLast()
            power += 1
        }
        self.digits = Array(digits)
        self.power = digits.isEmpty ? 0 : power
        self.isNegative = digits.isEmpty ? false : isNegative
    }

    /// Reads a number as JSON spells it; `nil` where the text is none.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        func take() -> [Int] {
            let taken = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(taken.count)
            return taken.map { Int($0) - 48 }
        }
        var digits = take()
        guard !digits.isEmpty else { return nil }
        var power = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = take()
            guard !fraction.isEmpty else { return nil }
            digits += fraction
            power = -fraction.count
        }
        if let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            let isDown = rest.first == UInt8(ascii: "-")
            if isDown || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            let exponent = take()
            guard !exponent.isEmpty, exponent.count < 18 else { return nil }
            let shift = exponent.reduce(0) { $0 * 10 + $1 }
            power += isDown ? -shift : shift
        }
        guard rest.isEmpty else { return nil }
        self.init(digits: digits, power: power, isNegative: isNegative)
    }

    package init(_ number: Int) {
        self.init(digits: String(number.magnitude).utf8.map { Int($0) - 48 }, power: 0, isNegative: number < 0)
    }

    package var isZero: Bool { digits.isEmpty }
    package var isBelowZero: Bool { isNegative }

    /// As plain digits where that is short.
    package var description: String {
        if digits.isEmpty { return "0" }
        let sign = isNegative ? "-" : ""
        let plain = digits.map(String.init).joined()
        if power >= 0, power < 40 { return sign + plain + String(repeating: "0", count: power) }
        if power < 0, power > -40 {
            let padded = String(repeating: "0", count: max(0, 1 - power - plain.count)) + plain
            return sign + padded.dropLast(-power) + "." + padded.suffix(-power)
        }
        return "\(sign)\(plain)e\(power)"
    }

    package static prefix func - (number: ExactNumber) -> ExactNumber {
        ExactNumber(digits: number.digits, power: number.power, isNegative: !number.isNegative)
    }

    package static func < (one: ExactNumber, two: ExactNumber) -> Bool {
        if one.isNegative != two.isNegative { return one.isNegative }
        return one.isNegative ? two.isSmaller(than: one) : one.isSmaller(than: two)
    }

    /// Without regard to signs.
    private func isSmaller(than other: ExactNumber) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        let (mine, others) = (digits.count + power, other.digits.count + other.power)
        if mine != others { return mine < others }
        return digits.lexicographicallyPrecedes(other.digits)
    }

    /// Whether this number is less far from one than from the other.
    package func isNearer(to one: ExactNumber, than other: ExactNumber) -> Bool {
        (self - one).isSmaller(than: self - other)
    }

    package static func - (one: ExactNumber, two: ExactNumber) -> ExactNumber { one + -two }

    package static func + (one: ExactNumber, two: ExactNumber) -> ExactNumber {
        let power = min(one.power, two.power)
        func aligned(_ number: ExactNumber) -> [Int] {
            number.digits.reversed().reduce(into: [Int](repeating: 0, count: number.power - power)) { $0.append($1) }
        }
        if one.isZero || two.isZero { return one.isZero ? two : one }
        if one.isNegative == two.isNegative {
            return ExactNumber(digits: added(aligned(one), aligned(two)), power: power, isNegative: one.isNegative)
        }
        let (large, small) = one.isSmaller(than: two) ? (two, one) : (one, two)
        return ExactNumber(
            digits: subtracted(aligned(large), aligned(small)),
            power: power,
            isNegative: large.isNegative
        )
    }

    /// Both take digits the lightest first, and give them the weightiest first.
    private static func added(_ one: [Int], _ two: [Int]) -> [Int] {
        var (result, carry): ([Int], Int) = ([], 0)
        for index in 0..<max(one.count, two.count) {
            let sum = (index < one.count ? one[index] : 0) + (index < two.count ? two[index] : 0) + carry
            result.append(sum % 10)
            carry = sum / 10
        }
        return (result + [carry]).reversed()
    }

    private static func subtracted(_ large: [Int], _ small: [Int]) -> [Int] {
        var (result, borrow): ([Int], Int) = ([], 0)
        for index in 0..<large.count {
            let rest = large[index] - (index < small.count ? small[index] : 0) - borrow
            result.append((rest + 10) % 10)
            borrow = rest < 0 ? 1 : 0
        }
        return result.reversed()
    }
}
