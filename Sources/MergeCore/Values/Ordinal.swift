package import LosslessJSON

/// A value as a rule reads it, in a total order: numbers, instants, strings (by bytes), false, true.
///
/// Values of different types have an order only so that joins are total. No write needs it: a write of another type
/// than the known value is refused before (`max` of 7 and "abc" is no operation).
enum Ordinal: Comparable {
    case number(ExactDecimal)
    case instant(DateValue)
    case text(JSONString)
    case truth(Bool)

    /// Reads a value as the rule does, with the rule's date format; `nil` where the rule cannot read it. A counter reads no
    /// number with which it could not count on.
    init?(_ value: JSONValue, by rule: MergeRule) {
        if rule.reading == .date, rule.format != nil, case .string(let text) = value {
            guard let instant = rule.dateFormat?.instant(text.bytes) else { return nil }
            self = .instant(instant)
        } else {
            self.init(value, as: rule.reading)
            if rule.merge == .counter, case .number(let number) = self, !number.isCountable { return nil }
        }
    }

    /// Reads a value as a rule with this reading does; `nil` where such a rule cannot read it. Dates are in ISO 8601.
    init?(_ value: JSONValue, as reading: MergeRule.Reading?) {
        switch (reading, value) {
        case (nil, .number(let number)), (.number?, .number(let number)), (.date?, .number(let number)):
            guard let decimal = number.decimal else { return nil }
            self = .number(decimal)
        case (.number?, .string(let text)):
            guard let decimal = ExactDecimal(numericString: text) else { return nil }
            self = .number(decimal)
        case (.date?, .string(let text)):
            guard let instant = DateValue(text.bytes) else { return nil }
            self = .instant(instant)
        case (nil, .string(let text)): self = .text(text)
        case (nil, .bool(let truth)): self = .truth(truth)
        default: return nil
        }
    }

    /// Whether both are of one type, so that a rule may choose between them.
    func isComparable(with other: Ordinal) -> Bool { rank == other.rank }

    private var rank: Int {
        switch self {
        case .number: 0
        case .instant: 1
        case .text: 2
        case .truth: 3
        }
    }

    static func < (a: Ordinal, b: Ordinal) -> Bool {
        switch (a, b) {
        case (.number(let x), .number(let y)): x < y
        case (.instant(let x), .instant(let y)): x < y
        case (.text(let x), .text(let y)): x < y
        case (.truth(let x), .truth(let y)): !x && y
        default: a.rank < b.rank
        }
    }
}

extension MergeRule {
    /// Whether an ordered rule can read a value. A counter reads numbers only.
    func reads(_ value: JSONValue) -> Bool {
        switch Ordinal(value, by: self) {
        case nil: false
        case .number?: true
        case .instant?, .text?, .truth?: merge != .counter
        }
    }
}

extension ExactDecimal {
    /// Reads the number in a string such as `"7.18e+369377954"`; `nil` where it holds none or has more than 1,100
    /// bytes.
    package init?(numericString text: JSONString) {
        guard text.bytes.count <= 1_100 else { return nil }
        self.init(text: text.string)
    }
}
