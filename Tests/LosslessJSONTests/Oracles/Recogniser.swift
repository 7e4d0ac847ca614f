/// Says whether a text is JSON: RFC 8259 written down as simply as possible, so that it can judge the parser.
///
/// Slow, recursive and without places. It shares no code with the parser.
struct Recogniser {
    private let text: [UInt8]
    private var place = 0
    private var depthLeft: Int

    /// Strict JSON in UTF-8, a byte order mark allowed in front, no two equal keys in one object, nested at most so
    /// deep.
    static func accepts(_ text: [UInt8], depth: Int) -> Bool {
        guard String(validating: text, as: UTF8.self) != nil else { return false }
        var recogniser = Recogniser(text: text, depthLeft: depth)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { recogniser.place = 3 }
        recogniser.space()
        guard recogniser.value() else { return false }
        recogniser.space()
        return recogniser.place == text.count
    }

    private init(text: [UInt8], depthLeft: Int) {
        self.text = text
        self.depthLeft = depthLeft
    }

    private var next: UInt8? { place < text.count ? text[place] : nil }

    private mutating func take(_ allowed: String) -> Bool {
        guard let next, allowed.utf8.contains(next) else { return false }
        place += 1
        return true
    }

    private mutating func word(_ word: String) -> Bool {
        guard text[place...].starts(with: word.utf8) else { return false }
        place += word.utf8.count
        return true
    }

    private mutating func space() { while take(" \t\r\n") {} }

    private mutating func value() -> Bool {
        switch next {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "["), UInt8(ascii: "{"): return container()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func container() -> Bool {
        guard depthLeft > 0 else { return false }
        depthLeft -= 1
        defer { depthLeft += 1 }
        let isObject = next == UInt8(ascii: "{")
        let end = isObject ? "}" : "]"
        var keys: Set<[UInt16]> = []
        place += 1
        space()
        if take(end) { return true }
        repeat {
            space()
            if isObject {
                guard let key = string(), keys.insert(key).inserted else { return false }
                space()
                guard take(":") else { return false }
                space()
            }
            guard value() else { return false }
            space()
        } while take(",")
        return take(end)
    }

    /// The UTF-16 code units of a string, which are equal for equal strings, however they are escaped.
    private mutating func string() -> [UInt16]? {
        guard take("\"") else { return nil }
        var units: [UInt16] = []
        while let byte = next {
            if take("\"") { return units }
            if take("\\") {
                guard let unit = escape() else { return nil }
                units.append(unit)
                continue
            }
            guard byte >= 0x20 else { return nil }
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            units += String(decoding: text[place..<min(place + length, text.count)], as: UTF8.self).utf16
            place += length
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        guard let letter = next else { return nil }
        place += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(letter)
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            var unit: UInt16 = 0
            for _ in 0..<4 {
                guard let digit = next, let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
                unit = unit << 4 | UInt16(value)
                place += 1
            }
            return unit
        default: return nil
        }
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") { guard digits() else { return false } }
        if take(".") { guard digits() else { return false } }
        if take("eE") {
            _ = take("+-")
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        guard take("0123456789") else { return false }
        while take("0123456789") {}
        return true
    }
}
