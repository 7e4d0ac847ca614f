extension JSONString {
    /// Unescapes text the parser has already checked, without its quotes.
    init(checked text: UnsafeBufferPointer<UInt8>, escaped: Bool) {
        guard escaped, let base = text.baseAddress else {
            bytes = Array(text)
            return
        }
        bytes = []
        bytes.reserveCapacity(text.count)
        var offset = 0
        while offset < text.count {
            let byte = base[offset]
            if byte != UInt8(ascii: "\\") {
                bytes.append(byte)
                offset += 1
            } else if base[offset + 1] == UInt8(ascii: "u") {
                var unit = UInt32(Self.hex(base + offset + 2))
                offset += 6
                if unit & 0xFC00 == 0xD800, offset + 6 <= text.count, base[offset] == UInt8(ascii: "\\"),
                    base[offset + 1] == UInt8(ascii: "u")
                {
                    let low = UInt32(Self.hex(base + offset + 2))
                    if low & 0xFC00 == 0xDC00 {
                        unit = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
                        offset += 6
                    }
                }
                append(unit)
            } else {
                bytes.append(Self.simpleEscape(base[offset + 1]))
                offset += 2
            }
        }
    }

    /// Appends one scalar, or one lone surrogate, as WTF-8.
    private mutating func append(_ value: UInt32) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(value >> shift & 0x3F) }
        switch value {
        case ..<0x80: bytes.append(UInt8(value))
        case ..<0x800: bytes += [0xC0 | UInt8(value >> 6), tail(0)]
        case ..<0x10000: bytes += [0xE0 | UInt8(value >> 12), tail(6), tail(0)]
        default: bytes += [0xF0 | UInt8(value >> 18), tail(12), tail(6), tail(0)]
        }
    }

    /// The value of four hexadecimal digits that have been checked.
    private static func hex(_ digits: UnsafePointer<UInt8>) -> UInt16 {
        var value: UInt16 = 0
        for index in 0..<4 {
            let digit = digits[index]
            value = value << 4 | UInt16(digit < 0x3A ? digit & 0xF : (digit & 0xF) + 9)
        }
        return value
    }

    /// The byte that a one-letter escape stands for.
    private static func simpleEscape(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// Appends the string as JSON text in quotes, with no more escapes than JSON needs.
    func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        bytes.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else { return }
            var offset = 0
            var plainFrom = 0
            while offset < text.count {
                if offset &+ 8 <= text.count {
                    let stops = ByteRuns.stringStops(ByteRuns.word(base + offset))
                    if stops == 0 {
                        offset &+= 8
                        continue
                    }
                    offset &+= stops.trailingZeroBitCount >> 3
                }
                let byte = base[offset]
                if byte < 0x80 && byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                    offset += 1
                    continue
                }
                let length = byte < 0x80 ? 0 : UTF8Check.sequenceLength(base, at: offset, end: text.count)
                if length > 0 {
                    offset += length
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: text[plainFrom..<offset]))
                offset += Self.writeEscape(base, at: offset, end: text.count, to: &output)
                plainFrom = offset
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[plainFrom...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Writes the escape for a character that cannot stand in JSON text as it is; a byte that is no WTF-8 becomes
    /// U+FFFD. Returns how many bytes of the string were written.
    private static func writeEscape(
        _ base: UnsafePointer<UInt8>,
        at offset: Int,
        end: Int,
        to output: inout [UInt8]
    ) -> Int {
        let byte = base[offset]
        switch byte {
        case UInt8(ascii: "\""): output += "\\\"".utf8
        case UInt8(ascii: "\\"): output += "\\\\".utf8
        case 0x08: output += "\\b".utf8
        case 0x09: output += "\\t".utf8
        case 0x0A: output += "\\n".utf8
        case 0x0C: output += "\\f".utf8
        case 0x0D: output += "\\r".utf8
        case ..<0x20: writeUnit(UInt16(byte), to: &output)
        default:
            if UTF8Check.isSurrogate(base, at: offset, end: end) {
                writeUnit(UTF8Check.surrogate(base, at: offset), to: &output)
                return 3
            }
            output += [0xEF, 0xBF, 0xBD]
        }
        return 1
    }

    /// Writes `\uXXXX` in lower case.
    private static func writeUnit(_ unit: UInt16, to output: inout [UInt8]) {
        output += "\\u".utf8
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = UInt8(unit >> shift & 0xF)
            output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
