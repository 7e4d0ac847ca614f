extension ParseFault {
    /// The fault with its line, column and sentence.
    func described(in text: UnsafeBufferPointer<UInt8>, limits: JSONLimits) -> JSONSyntaxError {
        let place = TextPosition.of(offset, in: text)
        return JSONSyntaxError(
            line: place.line,
            column: place.column,
            offset: offset,
            message: message(in: text, limits: limits),
            isUnfinished: isUnfinished(text)
        )
    }

    /// See ``JSONSyntaxError/isUnfinished``. O(bytes after the fault).
    private func isUnfinished(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch reason {
        case .empty: return true
        case .tooLong, .tooDeep, .textAfterEnd, .trailingComma, .duplicateKey: return false
        default: break
        }
        let end = text[min(offset, text.count)...].firstIndex(of: 0) ?? text.count
        guard end == text.count || Self.isTorn(text, at: end) else { return false }
        guard offset < end else { return true }
        let rest = text[offset..<end]
        switch reason {
        // The start of a literal, of a byte order mark, of an escape, or of a character of several bytes.
        case .expectedValue:
            return ["true", "false", "null"].contains { $0.utf8.starts(with: rest) }
                || offset == 0 && [0xEF, 0xBB, 0xBF].starts(with: rest)
        case .badEscape: return rest.count < 2
        case .badUnicodeEscape: return rest.count < 6 && rest.dropFirst(2).allSatisfy(Self.isHexadecimal)
        case .invalidUTF8:
            return rest.count < Self.length(ofSequenceBeginningWith: rest[offset])
                && rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
        default: return false
        }
    }

    /// Whether zero bytes from a place on look like a block that was never written: they go on to the end, or are many,
    /// and all else is text. In a binary format, in UTF-16 and in UTF-32 they are few, or other control bytes are there.
    private static func isTorn(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        let after = text[place...].firstIndex { $0 != 0 } ?? text.count
        guard after == text.count || after - place >= 16 else { return false }
        return text.allSatisfy { $0 == 0 || $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// How many bytes the UTF-8 sequence has that begins with a byte; 0 for a byte that begins none.
    private static func length(ofSequenceBeginningWith byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    private func message(in text: UnsafeBufferPointer<UInt8>, limits: JSONLimits) -> String {
        func name(_ isObject: Bool) -> String { isObject ? "object" : "array" }
        func place(_ offset: Int) -> String {
            let place = TextPosition.of(offset, in: text)
            return "\(place.line):\(place.column)"
        }
        switch reason {
        case .empty:
            return text.isEmpty ? "the text is empty" : "the text is empty but for white space or a byte order mark"
        case .tooLong: return "the text has \(text.count) bytes, more than the limit of \(limits.bytes)"
        case .tooDeep: return "arrays and objects are nested more than \(limits.depth) deep"
        case .expectedValue: return Self.describeMissingValue(text, at: offset)
        case .expectedKey: return "expected a key in double quotes, found \(Self.describe(text, at: offset))"
        case .expectedColon: return "expected ':' after the key, found \(Self.describe(text, at: offset))"
        case .expectedCommaOrEnd(let isObject):
            return "expected ',' or '\(isObject ? "}" : "]")' in the \(name(isObject)), "
                + "found \(Self.describe(text, at: offset))"
        case .trailingComma(let isObject): return "trailing comma before the end of the \(name(isObject))"
        case .textAfterEnd: return "expected nothing after the value, found \(Self.describe(text, at: offset))"
        case .endsInside(let isObject, let start):
            return "the text ends inside the \(name(isObject)) that begins at \(place(start))"
        case .unclosedString(let start): return "the text ends inside the string that begins at \(place(start))"
        case .controlCharacter: return "\(Self.describe(text, at: offset)) in a string must be written as an escape"
        case .invalidUTF8: return "the bytes here are not valid UTF-8"
        case .badEscape: return "no such escape in a string; after '\\' only one of \"\\/bfnrtu may follow"
        case .badUnicodeEscape: return "'\\u' must be followed by four hexadecimal digits"
        case .leadingZero: return "a number must not begin with a needless zero"
        case .leadingPoint: return "a number must have a digit before its point"
        case .missingDigits: return "expected a digit, found \(Self.describe(text, at: offset))"
        case .missingFraction: return "expected a digit after the point, found \(Self.describe(text, at: offset))"
        case .missingExponent: return "expected a digit in the exponent, found \(Self.describe(text, at: offset))"
        case .duplicateKey(let first):
            return "duplicate key \(Self.quoteKey(text, at: offset)) (first at \(place(first)))"
        }
    }

    /// The sentence for a place where a value is missing. It names common mistakes, such as comments or single quotes.
    private static func describeMissingValue(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
        guard offset < text.count else { return "expected a value, found the end of the text" }
        switch text[offset] {
        case UInt8(ascii: "/"), UInt8(ascii: "#"): return "expected a value; JSON has no comments"
        case UInt8(ascii: "'"): return "expected a value; strings stand in double quotes"
        case UInt8(ascii: "."): return "a number must have a digit before its point"
        case UInt8(ascii: "+"): return "a number must not begin with '+'"
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            let word = text[offset...].prefix(16).prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
            return "expected a value, found '\(String(decoding: word, as: UTF8.self))'"
        default: return "expected a value, found \(describe(text, at: offset))"
        }
    }

    /// The character at a place, for a sentence.
    private static func describe(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
        guard let base = text.baseAddress, offset < text.count else { return "the end of the text" }
        let byte = text[offset]
        if byte < 0x20 || byte == 0x7F { return "control character U+00\(hex(byte))" }
        if byte < 0x80 { return "'\(Unicode.Scalar(byte))'" }
        let length = UTF8Check.sequenceLength(base, at: offset, end: text.count)
        guard length > 0 else { return "byte 0x\(hex(byte)), which is not valid UTF-8" }
        let scalars = String(decoding: text[offset..<offset + length], as: UTF8.self).unicodeScalars
        let code = String(scalars.first?.value ?? 0, radix: 16, uppercase: true)
        return "U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }

    /// A key as the text spells it, shortened to 60 bytes where needed.
    private static func quoteKey(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
        var end = offset + 1
        while end < text.count, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end - offset > 61 else { return String(decoding: text[offset...end], as: UTF8.self) }
        var cut = offset + 58
        while cut > offset + 1, text[cut] & 0xC0 == 0x80 { cut -= 1 }
        return String(decoding: text[offset..<cut], as: UTF8.self) + "…\""
    }
}
