/// How a text escapes what JSON would also take as it is: some games write `\u00e4` for `ä`, and `\/` for `/`, and a few
/// read nothing else. New text is escaped as the old one, as far as that shows.
struct EscapeStyle {
    /// How hexadecimal digits are written.
    enum Digits {
        case lowerCase
        case upperCase
    }

    /// Set where the text has such an escape of a character beyond ASCII, and none of these characters as it is.
    private(set) var nonASCII: Digits?
    /// Whether the text has `\/`, and no `/` without it.
    private(set) var slash = false

    /// Looks at a whole text. O(bytes).
    init(_ text: [UInt8]) {
        var hasPlain = (nonASCII: false, slash: false)
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte >= 0x80 { hasPlain.nonASCII = true }
            if byte == UInt8(ascii: "/") { hasPlain.slash = true }
            guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
                index += 1
                continue
            }
            if text[index + 1] == UInt8(ascii: "/") { slash = true }
            if text[index + 1] == UInt8(ascii: "u"), index + 6 <= text.count {
                note(text[(index + 2)..<(index + 6)])
            }
            index += 2
        }
        if hasPlain.nonASCII { nonASCII = nil }
        if hasPlain.slash { slash = false }
    }

    private mutating func note(_ digits: ArraySlice<UInt8>) {
        let isASCII = digits.starts(with: "00".utf8) && digits[digits.startIndex + 2] < UInt8(ascii: "8")
        guard !isASCII else { return }
        if digits.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) {
            nonASCII = .upperCase
        } else if nonASCII == nil {
            nonASCII = .lowerCase
        }
    }

    /// Whether a new text holds anything that could be escaped.
    static func matters(to text: [UInt8]) -> Bool { text.contains { $0 >= 0x80 || $0 == UInt8(ascii: "/") } }

    /// JSON text of ``JSONWriter``, escaped in this style. Both kinds of characters stand in strings alone.
    func applied(to text: [UInt8]) -> [UInt8] {
        guard nonASCII != nil || slash else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count * 2)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar == "/", slash {
                result += "\\/".utf8
            } else if let nonASCII, !scalar.isASCII {
                for unit in UTF16.encode(scalar)! { result += Self.escape(unit, nonASCII) }
            } else {
                result += UTF8.encode(scalar)!
            }
        }
        return result
    }

    private static func escape(_ unit: UInt16, _ digits: Digits) -> [UInt8] {
        let hex = String(unit, radix: 16, uppercase: digits == .upperCase)
        return Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - hex.utf8.count) + Array(hex.utf8)
    }
}
