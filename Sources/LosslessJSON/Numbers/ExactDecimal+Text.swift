extension ExactDecimal {
    /// The most digits that the canonical text shows without an exponent.
    static let longestPlainForm = 40
    /// The most digits that a whole number shows without an exponent when fewer than half of them are zeros at its end.
    /// A game that writes such a number reads it back in the same spelling.
    static let longestWholeNumber = 100

    /// Reads a JSON number; nil when it is malformed or lies beyond 10 to the power of ±10¹⁵.
    public init?(text: String) {
        var text = text
        guard let storage = text.withUTF8({ Self.read($0) }) else { return nil }
        self.storage = storage
    }

    private static func read(_ text: UnsafeBufferPointer<UInt8>) -> Storage? {
        guard let parts = NumberGrammar(text) else { return nil }
        if parts.fraction.isEmpty, parts.exponent.isEmpty, parts.whole.count <= 18 {
            var value: Int64 = 0
            for index in parts.whole { value = value &* 10 &+ Int64(text[index] &- 0x30) }
            return .small(parts.isNegative ? -value : value)
        }
        let exponentDigits = text[parts.exponent].drop { $0 == 0x30 }
        guard exponentDigits.count <= 15 else { return nil }
        var exponent = 0
        for digit in exponentDigits { exponent = exponent * 10 + Int(digit - 0x30) }
        if parts.exponentIsNegative { exponent = -exponent }
        var digits: [UInt8] = []
        digits.reserveCapacity(parts.whole.count + parts.fraction.count)
        for digit in text[parts.whole] { digits.append(digit & 0xF) }
        for digit in text[parts.fraction] { digits.append(digit & 0xF) }
        let value = normalized(
            Big(isNegative: parts.isNegative, digits: digits, exponent: exponent - parts.fraction.count)
        )
        // The bound is on the power of the first digit, so that the canonical text reads back as the same value.
        if case .big(let big) = value.storage, abs(big.leadingExponent) > greatestExponent { return nil }
        return value.storage
    }

    /// The canonical spelling, a JSON number: equal values have equal text.
    ///
    /// Up to 40 digits are written without an exponent (`12.5`, `0.001`, `1000`). So are up to 100 digits of a whole
    /// number with fewer than half of them as zeros at its end. All else has an exponent (`1.25e+300`, `1e-50`).
    public var text: String {
        guard case .big(let value) = storage else {
            guard case .small(let number) = storage else { return "0" }
            return String(number)
        }
        let (digits, exponent) = (value.digits, value.exponent)
        let count = digits.count
        var output: [UInt8] = value.isNegative ? [UInt8(ascii: "-")] : []
        func append(_ digits: ArraySlice<UInt8>) { output.append(contentsOf: digits.lazy.map { $0 | 0x30 }) }
        let wholeDigits = count + exponent
        if exponent >= 0, wholeDigits <= (exponent < count ? Self.longestWholeNumber : Self.longestPlainForm) {
            append(digits[...])
            output.append(contentsOf: repeatElement(0x30, count: exponent))
        } else if exponent < 0, wholeDigits > 0, count <= Self.longestPlainForm {
            append(digits[..<wholeDigits])
            output.append(UInt8(ascii: "."))
            append(digits[wholeDigits...])
        } else if exponent < 0, wholeDigits <= 0, 1 - exponent <= Self.longestPlainForm {
            output += "0.".utf8
            output.append(contentsOf: repeatElement(0x30, count: -wholeDigits))
            append(digits[...])
        } else {
            append(digits[..<1])
            if count > 1 {
                output.append(UInt8(ascii: "."))
                append(digits[1...])
            }
            output += (value.leadingExponent < 0 ? "e" : "e+").utf8
            output += String(value.leadingExponent).utf8
        }
        return String(decoding: output, as: UTF8.self)
    }
}
