package import LosslessJSON

/// A set of bits, stored in a save as the whole number whose binary digits are 1 at those places, such as `5` for {0,
/// 2}.
///
/// Exact at any size up to the limit: a `Double` cannot hold 4,096 unlocks in one number.
package struct BitField: Hashable, Sendable {
    /// The positions of the digits that are 1, ascending; 0 is the last digit of the number.
    let indexes: [Int]

    /// Most binary digits a number may have.
    static let limit = 4_096
    /// Most decimal digits of a number: those of the largest one.
    private static let digitLimit = 1_234
    /// Most bytes of a number's text. It is larger than ``digitLimit``, since `12.000` and `1.2e1` are longer
    /// spellings.
    private static let byteLimit = 4_096

    /// Makes a bit field of positions, in any order and with repetitions. `nil` where one is negative or beyond the
    /// limit.
    init?(indexes: some Sequence<Int>) {
        let sorted = Set(indexes).sorted()
        guard (sorted.first ?? 0) >= 0, (sorted.last ?? 0) < Self.limit else { return nil }
        self.indexes = sorted
    }

    /// Reads the bits of a number, or of a string that holds one. `nil` where the number is negative, has a fraction,
    /// or has more than ``limit`` bits. O(digits²).
    package init?(_ value: JSONValue) {
        let text: String
        switch value {
        case .number(let number): text = number.text
        case .string(let string): text = string.string
        default: return nil
        }
        guard text.utf8.count <= Self.byteLimit, let decimal = ExactDecimal(text: text), !decimal.isNegative,
            let digits = Self.digits(decimal)
        else { return nil }
        let words = Self.binary(digits)
        var indexes: [Int] = []
        for (position, word) in words.enumerated() where word != 0 {
            for bit in 0..<32 where word & (1 << UInt32(bit)) != 0 { indexes.append(position * 32 + bit) }
        }
        guard (indexes.last ?? 0) < Self.limit else { return nil }
        self.indexes = indexes
    }

    /// The number as decimal digits, without an exponent. O(limit²) at worst.
    var text: String {
        guard let highest = indexes.last else { return "0" }
        var words = [UInt32](repeating: 0, count: highest / 32 + 1)
        for index in indexes { words[index / 32] |= 1 << UInt32(index % 32) }
        // The division gives nine decimal digits at a time, the last ones first.
        var groups: [UInt32] = []
        while !words.isEmpty {
            var rest: UInt64 = 0
            for position in words.indices.reversed() {
                let part = rest << 32 | UInt64(words[position])
                words[position] = UInt32(part / 1_000_000_000)
                rest = part % 1_000_000_000
            }
            groups.append(UInt32(rest))
            while words.last == 0 { words.removeLast() }
        }
        var text = String(groups[groups.count - 1])
        for group in groups.dropLast().reversed() {
            let digits = String(group)
            text += String(repeating: "0", count: 9 - digits.utf8.count) + digits
        }
        return text
    }

    /// The digits of a whole number; `nil` where it has a fraction or too many of them.
    private static func digits(_ decimal: ExactDecimal) -> [UInt8]? {
        // The canonical text has digits, then a point and digits without zeros at the end, then an exponent.
        let parts = decimal.text.utf8.split(separator: UInt8(ascii: "e"))
        let number = parts[0].split(separator: UInt8(ascii: "."))
        var exponent = 0
        if parts.count > 1 {
            guard let value = Int(String(decoding: parts[1], as: UTF8.self)) else { return nil }
            exponent = value
        }
        let fraction = number.count > 1 ? Array(number[1]) : []
        guard exponent >= fraction.count, exponent < digitLimit else { return nil }
        let zeros = repeatElement(UInt8(ascii: "0"), count: exponent - fraction.count)
        let digits = Array(number[0]) + fraction + zeros
        return digits.count <= digitLimit ? digits : nil
    }

    /// The 32-bit words of a number given by its decimal digits, the least significant word first.
    private static func binary(_ digits: [UInt8]) -> [UInt32] {
        var words: [UInt32] = []
        var index = 0
        while index < digits.count {
            let group = digits[index..<min(index + 9, digits.count)]
            let scale = group.reduce(UInt64(1)) { scale, _ in scale * 10 }
            var carry = group.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
            for position in words.indices {
                let part = UInt64(words[position]) * scale + carry
                words[position] = UInt32(truncatingIfNeeded: part)
                carry = part >> 32
            }
            if carry != 0 { words.append(UInt32(truncatingIfNeeded: carry)) }
            index += 9
        }
        return words
    }
}
