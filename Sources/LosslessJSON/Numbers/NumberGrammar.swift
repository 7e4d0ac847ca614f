/// The parts of a number in the grammar of RFC 8259, section 6, as offsets into its text.
struct NumberGrammar {
    var isNegative = false
    /// Digits before the point.
    var whole: Range<Int> = 0..<0
    /// Digits after the point; empty without one.
    var fraction: Range<Int> = 0..<0
    var exponentIsNegative = false
    /// Digits of the exponent; empty without one.
    var exponent: Range<Int> = 0..<0

    /// Reads a whole text as one number, or gives nil when it is not one.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        var offset = 0
        func digits() -> Range<Int> {
            let start = offset
            while offset < text.count, text[offset] &- 0x30 < 10 { offset += 1 }
            return start..<offset
        }
        if offset < text.count, text[offset] == UInt8(ascii: "-") {
            isNegative = true
            offset += 1
        }
        whole = digits()
        guard !whole.isEmpty, whole.count == 1 || text[whole.lowerBound] != 0x30 else { return nil }
        if offset < text.count, text[offset] == UInt8(ascii: ".") {
            offset += 1
            fraction = digits()
            guard !fraction.isEmpty else { return nil }
        }
        if offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < text.count, text[offset] == UInt8(ascii: "-") || text[offset] == UInt8(ascii: "+") {
                exponentIsNegative = text[offset] == UInt8(ascii: "-")
                offset += 1
            }
            exponent = digits()
            guard !exponent.isEmpty else { return nil }
        }
        guard offset == text.count else { return nil }
    }
}
