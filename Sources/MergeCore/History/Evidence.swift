import LosslessJSON

/// How much it speaks for one play, and not two, that two saves hold the same. A value, an amount or an element weighs 1; a
/// number or a text with many digits, such as a time of day or the time played, weighs 3, since it is hardly the same by
/// chance. A date weighs nothing: a bonus that is given once a day has it on all machines.
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

extension LeafChange {
    /// The value afterwards; `nil` for none, and for a change of another kind.
    var newValue: JSONValue? {
        if case .value(_, let new) = change { new } else { nil }
    }
}

extension MergeRule {
    /// What a counter was moved by from one value to another; `nil` where one is no number. No value is 0.
    func amount(from old: JSONValue?, to new: JSONValue) -> ExactDecimal? {
        guard case .number(let after)? = Ordinal(new, by: self) else { return nil }
        guard let old else { return after }
        guard case .number(let before)? = Ordinal(old, by: self) else { return nil }
        return try? after.subtracting(before)
    }
}
