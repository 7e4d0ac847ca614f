import LosslessJSON
import MergeCore

/// The words of a member's name in lower case: `bestLapTime`, `best_lap_time` and `BEST-LAP-TIME` give "best lap time",
/// and `XPTotal2` gives "xp total 2".
struct NameWords: Hashable {
    let words: [String]

    static let none = NameWords(words: [])

    /// A longer name, in bytes, is data rather than a name, and has no words.
    private static let byteLimit = 64

    private init(words: [String]) { self.words = words }

    init(_ name: JSONString) {
        guard name.bytes.count <= Self.byteLimit else {
            words = []
            return
        }
        var words: [String] = []
        var word: [UInt8] = []
        func close() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        var former = Kind.other
        for (index, byte) in name.bytes.enumerated() {
            let kind = Kind(byte)
            let next = index + 1 < name.bytes.count ? Kind(name.bytes[index + 1]) : .other
            let isNew: Bool
            switch (former, kind) {
            case (.small, .capital), (.digit, .small), (.digit, .capital), (.small, .digit), (.capital, .digit):
                isNew = true
            case (.capital, .capital): isNew = next == .small
            default: isNew = kind == .other
            }
            if isNew { close() }
            if kind != .other { word.append(kind == .capital ? byte | 0x20 : byte) }
            former = kind
        }
        close()
        self.words = words
    }

    func has(_ list: Set<String>) -> Bool { words.contains(where: list.contains) }

    func begins(_ list: Set<String>) -> Bool { words.first.map(list.contains) ?? false }

    func ends(_ list: Set<String>) -> Bool { words.last.map(list.contains) ?? false }

    private enum Kind {
        case small, capital, digit, other

        init(_ byte: UInt8) {
            switch byte {
            case 0x41...0x5A: self = .capital
            case 0x30...0x39: self = .digit
            case 0x61...0x7A, 0x80...: self = .small
            default: self = .other
            }
        }
    }
}

extension JSONString {
    /// Whether the name looks like an id: a number, a UUID, or a resource name such as `minecraft:stone`.
    var looksLikeID: Bool {
        guard !bytes.isEmpty else { return false }
        if bytes.contains(UInt8(ascii: ":")) { return true }
        let digits = bytes.count { $0 &- 0x30 < 10 }
        guard digits > 0 else { return false }
        let marks = Array("-_,.".utf8)
        if bytes.allSatisfy({ $0 &- 0x30 < 10 || marks.contains($0) }) { return true }
        return bytes.count >= 16
            && bytes.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 || marks.contains($0) }
    }

    /// The name without the digits at its end; `nil` where it has none, or consists only of digits.
    var numberedPrefix: [UInt8]? {
        let prefix = bytes.reversed().drop { $0 &- 0x30 < 10 }
        guard prefix.count < bytes.count, !prefix.isEmpty else { return nil }
        return prefix.reversed()
    }

    /// Whether a rule file can name the member and a person would: printable text of at most 200 bytes.
    var isNameable: Bool {
        guard bytes.count <= 200, let text = String(validating: bytes, as: UTF8.self) else { return false }
        let isPrintable = text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && ![0x2028, 0x2029, 0xFEFF].contains($0.value)
        }
        return isPrintable && RulePattern(steps: [.literal("a"), .literal(self)]).isSpelled
    }
}
