extension JSONParser {
    /// Steps over a string from its opening quote, checking it; true means that it has escapes.
    @inline(__always)
    mutating func scanString() throws(ParseFault) -> Bool {
        var offset = position &+ 1
        var hasEscapes = false
        while true {
            while offset &+ 8 <= count {
                let stops = ByteRuns.stringStops(ByteRuns.word(base + offset))
                if stops != 0 {
                    offset &+= stops.trailingZeroBitCount >> 3
                    break
                }
                offset &+= 8
            }
            guard offset < count else { throw ParseFault(reason: .unclosedString(start: position), offset: count) }
            let byte = base[offset]
            if byte == UInt8(ascii: "\"") {
                position = offset &+ 1
                return hasEscapes
            }
            if byte >= 0x80 {
                let length = UTF8Check.sequenceLength(base, at: offset, end: count)
                guard length > 0 else { throw ParseFault(reason: .invalidUTF8, offset: offset) }
                offset &+= length
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                offset = try scanEscape(at: offset)
            } else if byte < 0x20 {
                throw ParseFault(reason: .controlCharacter, offset: offset)
            } else {
                offset &+= 1
            }
        }
    }

    /// Checks an escape and gives the offset after it.
    @inline(never)
    private func scanEscape(at offset: Int) throws(ParseFault) -> Int {
        guard offset + 1 < count else { throw ParseFault(reason: .unclosedString(start: position), offset: count) }
        switch base[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return offset + 2
        case UInt8(ascii: "u"):
            for index in offset + 2..<offset + 6 {
                guard index < count else {
                    throw ParseFault(reason: .unclosedString(start: position), offset: count)
                }
                switch base[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"):
                    continue
                default: throw ParseFault(reason: .badUnicodeEscape, offset: offset)
                }
            }
            return offset + 6
        default: throw ParseFault(reason: .badEscape, offset: offset)
        }
    }

    /// Steps over a number, checking it.
    @inline(__always)
    mutating func scanNumber() throws(ParseFault) {
        var offset = position
        if base[offset] == UInt8(ascii: "-") { offset &+= 1 }
        let whole = offset
        offset = skipDigits(offset)
        if offset == whole {
            let startsWithPoint = offset < count && base[offset] == UInt8(ascii: ".")
            throw ParseFault(reason: startsWithPoint ? .leadingPoint : .missingDigits, offset: offset)
        }
        if base[whole] == UInt8(ascii: "0"), offset &- whole > 1 {
            throw ParseFault(reason: .leadingZero, offset: whole)
        }
        if offset < count, base[offset] == UInt8(ascii: ".") {
            let fraction = offset &+ 1
            offset = skipDigits(fraction)
            if offset == fraction { throw ParseFault(reason: .missingFraction, offset: offset) }
        }
        if offset < count, base[offset] | 0x20 == UInt8(ascii: "e") {
            offset &+= 1
            if offset < count, base[offset] == UInt8(ascii: "+") || base[offset] == UInt8(ascii: "-") { offset &+= 1 }
            let exponent = offset
            offset = skipDigits(exponent)
            if offset == exponent { throw ParseFault(reason: .missingExponent, offset: offset) }
        }
        position = offset
    }

    @inline(__always)
    private func skipDigits(_ start: Int) -> Int {
        var offset = start
        while offset < count, base[offset] &- 0x30 < 10 { offset &+= 1 }
        return offset
    }
}
