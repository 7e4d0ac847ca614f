/// A reader for the text of a date. It reads one part after another.
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

    /// Reads exactly `count` digits, at most 18; else `nil`, and nothing is read.
    mutating func digits(_ count: Int) -> Int64? { digits(count...count) }

    /// Reads as many digits as there are within the range, at most 18. `nil` where there are too few; then nothing is
    /// read.
    mutating func digits(_ count: ClosedRange<Int>) -> Int64? {
        let run = text.prefix(count.upperBound).prefix { $0 &- 0x30 < 10 }
        guard run.count >= count.lowerBound else { return nil }
        text = text.dropFirst(run.count)
        return run.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Reads all digits that follow, as ASCII.
    mutating func allDigits() -> [UInt8] {
        let run = text.prefix { $0 &- 0x30 < 10 }
        text = text.dropFirst(run.count)
        return Array(run)
    }

    /// Reads the first of some words that the text goes on with, in any case, and returns its index. `words` must be
    /// small ASCII letters.
    mutating func word(_ words: [String]) -> Int? {
        for (index, word) in words.enumerated() {
            let head = text.prefix(word.utf8.count)
            guard head.elementsEqual(word.utf8, by: { $0 | 0x20 == $1 && $0 & 0x40 != 0 }) else { continue }
            text = text.dropFirst(head.count)
            return index
        }
        return nil
    }

    /// Reads a zone as seconds east of UTC: `Z`, `±HH`, `±HHMM` or `±HH:MM`; `nil` where no zone follows.
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
