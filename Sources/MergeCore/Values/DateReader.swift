/// Reads the parts of a written date one after another.
struct DateReader {
    private var text: ArraySlice<UInt8>

    init(_ text: [UInt8]) { self.text = text[...] }

    var isAtEnd: Bool { text.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool { skip(byte: UInt8(ascii: character)) }

    mutating func skip(byte: UInt8) -> Bool {
        guard text.first == byte else { return false }
        text = text.dropFirst()
        return true
    }

    /// Exactly so many digits, at most 18.
    mutating func digits(_ count: Int) -> Int64? { digits(count...count) }

    /// As many digits as there are within the range, at most 18.
    mutating func digits(_ count: ClosedRange<Int>) -> Int64? {
        let run = text.prefix(count.upperBound).prefix { $0 &- 0x30 < 10 }
        guard run.count >= count.lowerBound else { return nil }
        text = text.dropFirst(run.count)
        return run.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// All digits that follow, as ASCII.
    mutating func allDigits() -> [UInt8] {
        let run = text.prefix { $0 &- 0x30 < 10 }
        text = text.dropFirst(run.count)
        return Array(run)
    }

    /// The first of some words that follows, whatever its case; words are small ASCII letters.
    mutating func word(_ words: [String]) -> Int? {
        for (index, word) in words.enumerated() {
            let head = text.prefix(word.utf8.count)
            guard head.elementsEqual(word.utf8, by: { $0 | 0x20 == $1 && $0 & 0x40 != 0 }) else { continue }
            text = text.dropFirst(head.count)
            return index
        }
        return nil
    }

    /// Seconds east of UTC: `Z`, `±HH`, `±HHMM` or `±HH:MM`; `nil` where what follows is none.
    mutating func zone() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hour = digits(2), hour < 24 else { return nil }
        var rest = self
        _ = rest.skip(":")
        guard let minute = rest.digits(2), minute < 60 else { return sign * hour * 3_600 }
        self = rest
        return sign * (hour * 3_600 + minute * 60)
    }
}
