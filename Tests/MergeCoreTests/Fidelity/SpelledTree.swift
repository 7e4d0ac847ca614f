import TestSupport

/// A value that knows nothing of JSON's spelling, and can be written in many ways that all mean it.
indirect enum SpelledTree: Equatable {
    /// `digits` times ten to the power of `exponent`; the last digit is not 0, except for zero itself.
    case number(negative: Bool, digits: String, exponent: Int)
    /// UTF-16 code units, so that half a pair can be among them.
    case text([UInt16])
    case word(String)
    /// An array.
    case list([SpelledTree])
    case object([Member])

    struct Member: Equatable {
        var key: [UInt16]
        var value: SpelledTree
    }
}

extension SpelledTree {
    /// The member by which the elements of a keyed array are told apart.
    static let idKey = Array("id".utf16)

    var isScalar: Bool {
        switch self {
        case .number, .text, .word: true
        case .list, .object: false
        }
    }

    var isKeyed: Bool {
        guard case .list(let elements) = self, !elements.isEmpty else { return false }
        return elements.allSatisfy { $0.id != nil }
    }

    /// The text of the member `id`.
    var id: [UInt16]? {
        guard case .object(let members) = self, let id = members.first(where: { $0.key == Self.idKey }),
            case .text(let units) = id.value
        else { return nil }
        return units
    }
}

/// Writes trees with white space, order, spelling of numbers and escapes at random.
struct Speller {
    var random: SeededRandom
    private let spaces: [String]

    init(_ random: SeededRandom) {
        self.random = random
        spaces = self.random.pick([
            [""], [" "], ["", " "], ["\n", "\n  ", " ", ""], ["\r\n\t", ""], ["\t \n", "\r", "", ""],
        ])
    }

    private mutating func space() -> [UInt8] { Array(random.pick(spaces).utf8) }

    /// A whole text: now and then a byte order mark, space around the value.
    mutating func document(_ tree: SpelledTree) -> [UInt8] {
        (random.chance(10) ? [0xEF, 0xBB, 0xBF] : []) + space() + spelled(tree) + space()
    }

    private mutating func spelled(_ tree: SpelledTree) -> [UInt8] {
        switch tree {
        case .number(let negative, let digits, let exponent):
            return Array((negative ? "-" : "").utf8) + Array(number(digits, exponent).utf8)
        case .text(let units): return text(units)
        case .word(let word): return Array(word.utf8)
        case .list(let elements):
            return entries(elements, "[", "]") { $0.spelled($1) }
        case .object(let members):
            return entries(members.shuffled(using: &random), "{", "}") {
                $0.text($1.key) + $0.space() + [UInt8(ascii: ":")] + $0.space() + $0.spelled($1.value)
            }
        }
    }

    private mutating func entries<T>(
        _ list: [T], _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ entry: (inout Speller, T) -> [UInt8]
    ) -> [UInt8] {
        var output = [UInt8(ascii: open)]
        for (index, one) in list.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += space() + entry(&self, one) + space()
        }
        if list.isEmpty { output += space() }
        return output + [UInt8(ascii: close)]
    }

    private mutating func number(_ digits: String, _ exponent: Int) -> String {
        switch random.below(exponent == 0 ? 8 : 4) {
        case 0: "\(digits)e\(exponent)"
        case 1: digits == "0" ? "0E-7" : "\(digits)00E\(exponent - 2)"
        case 2: "\(digits).0e\(exponent < 0 ? "" : "+")\(exponent)"
        case 3: "0.\(digits)e\(exponent + digits.utf8.count)"
        case 4: "\(digits).00"
        default: digits
        }
    }

    private mutating func text(_ units: [UInt16]) -> [UInt8] {
        var output = [UInt8(ascii: "\"")]
        var index = 0
        while index < units.count {
            let unit = units[index]
            let low = index + 1 < units.count ? units[index + 1] : 0
            index += 1
            let isPair = unit & 0xFC00 == 0xD800 && low & 0xFC00 == 0xDC00
            if isPair, random.chance(60) {
                output += Array(String(decoding: [unit, low], as: UTF16.self).utf8)
                index += 1
            } else if isPair {
                output += escape(unit) + escape(low)
                index += 1
            } else if unit & 0xF800 == 0xD800 || random.chance(15) {
                output += escape(unit)
            } else if let letter = Self.letters[unit], unit != 0x2F || random.chance(50) {
                output += [UInt8(ascii: "\\"), letter]
            } else {
                output += unit < 0x20 ? escape(unit) : Array(String(decoding: [unit], as: UTF16.self).utf8)
            }
        }
        return output + [UInt8(ascii: "\"")]
    }

    private static let letters: [UInt16: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x08: 0x62, 0x0C: 0x66, 0x0A: 0x6E, 0x0D: 0x72, 0x09: 0x74,
    ]

    private mutating func escape(_ unit: UInt16) -> [UInt8] {
        let digits = String(unit, radix: 16, uppercase: random.chance(50))
        return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
    }
}
