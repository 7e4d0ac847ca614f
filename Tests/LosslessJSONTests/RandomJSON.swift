import TestSupport

@testable import LosslessJSON

/// Makes documents of every shape: any spacing, any escapes, any spelling of numbers.
struct RandomJSON: RandomNumberGenerator {
    var random: SeededRandom
    /// Text between tokens; varied per document.
    private var spaces: [String]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let choices = [[""], [" "], ["", " "], ["\n", "\n  ", " ", ""], ["\r\n\t", ""], ["\t \n", "\r"]]
        spaces = choices[random.below(choices.count)]
    }

    mutating func next() -> UInt64 { random.next() }

    private mutating func space() -> String { spaces[random.below(spaces.count)] }

    /// A whole text with space around its value.
    mutating func document(depth: Int = 4) -> String {
        space() + text(depth: depth, mayBeLeaf: random.once(in: 10)) + space()
    }

    mutating func text(depth: Int, mayBeLeaf: Bool = true) -> String {
        if mayBeLeaf, depth == 0 || random.once(in: 2) { return leaf() }
        let count = random.below(6)
        if random.once(in: 2) {
            let elements = (0..<count).map { _ in space() + text(depth: max(0, depth - 1)) + space() }
            return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
        }
        let members = (0..<count).map { index in
            space() + key(index) + space() + ":" + space() + text(depth: max(0, depth - 1)) + space()
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    /// Keys of one object differ by their number.
    private mutating func key(_ number: Int) -> String {
        let stems = ["k", "ключ", "a\\nb", "\\u006b-", "\\ud800", "~/", "", "a long key with spaces in it "]
        return "\"\(stems[random.below(stems.count)])\(number)\""
    }

    private mutating func leaf() -> String {
        let leaves = [
            "null", "true", "false", "0", "-0", "1.0", "1e2", "-12.50E-3", "123456789012345678901234567890",
            "1e999999999999999999", "\"\"", "\"text\"", "\"\\ud83d\\ude00 \\\"q\\\" \\/\"", "\"日本 é 🎮\"",
            "\"\\udfff\"", "\"\\u0000\\t\"", "17", "3.25",
        ]
        return leaves[random.below(leaves.count)]
    }

    /// A value to put into a document.
    mutating func value(depth: Int = 2) -> JSONValue {
        switch random.below(depth == 0 ? 5 : 7) {
        case 0: .null
        case 1: .bool(random.once(in: 2))
        case 2: .number(JSONNumber(random.below(1_000_000) - 500_000))
        case 3: .number(JSONNumber(text: "1.50e\(random.below(30))") ?? JSONNumber(0))
        case 4: .string(JSONString(["", "x\ny", "é", "plain text \u{1F3AE}"][random.below(4)]))
        case 5: .array((0..<random.below(4)).map { _ in value(depth: depth - 1) })
        default:
            .object(
                (0..<random.below(4)).map { JSONMember(key: JSONString("n\($0)"), value: value(depth: depth - 1)) }
            )
        }
    }
}

/// The bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The text of bytes, for messages and comparisons.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
