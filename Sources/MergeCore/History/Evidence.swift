import LosslessJSON

/// The weight of what two saves have alike: how likely it is that they come from one play, and not from two. A value, an
/// amount or an element weighs 1. A number or a text with many digits, such as a time of day or the time played, weighs 3,
/// since two players hardly come to the same one. A date weighs 0: a bonus that is given once a day has it on all machines.
enum Evidence {
    /// The least weight at which it is asked. Where less was played, two players may well have come to the same.
    static let least = 3

    private static let manyDigits = 6
    private static let digitsOfADate = 8

    static func weight(of changes: [LeafChange]) -> Int { changes.reduce(0) { $0 + weight(of: $1) } }

    private static func weight(of change: LeafChange) -> Int {
        switch change.change {
        case .value(let old, let new?) where change.rule.merge == .counter:
            change.rule.amount(from: old, to: new).map(weight(of:)) ?? 0
        case .value(_, let new): weight(of: new)
        case .elements(let added, let removed): added.count + removed.count
        default: 0
        }
    }

    static func weight(of amount: ExactDecimal) -> Int { digits(amount.text) >= manyDigits ? 3 : 1 }

    static func weight(of value: JSONValue?) -> Int {
        switch value {
        case .number(let number): digits(number.text) >= manyDigits ? 3 : 1
        case .string(let text): weight(ofDigits: digits(text.string))
        default: 1
        }
    }

    private static func weight(ofDigits count: Int) -> Int {
        count == digitsOfADate ? 0 : count > digitsOfADate ? 3 : 1
    }

    private static func digits(_ text: String) -> Int {
        text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
