import LosslessJSON

/// An amount in a note of a join: a number, or, where a copy contains it, `[number, start of the profile it is a copy of]`.
struct NotedAmount {
    let amount: ExactDecimal
    let origin: ExactDecimal?

    init(amount: ExactDecimal, origin: ExactDecimal?) { (self.amount, self.origin) = (amount, origin) }

    init?(_ value: JSONValue) {
        switch value {
        case .number(let number):
            guard let amount = number.decimal else { return nil }
            self.init(amount: amount, origin: nil)
        case .array(let parts):
            guard parts.count == 2, case .number(let number) = parts[0], case .number(let start) = parts[1],
                let amount = number.decimal, let origin = start.decimal
            else { return nil }
            self.init(amount: amount, origin: origin)
        default: return nil
        }
    }

    var json: JSONValue {
        let number = JSONValue.number(JSONNumber(amount))
        return origin.map { .array([number, .number(JSONNumber($0))]) } ?? number
    }

    /// The part of the copy's start that the earnings of the other profile make.
    var contained: Range<ExactDecimal>? {
        guard amount.isNegative, let origin, let end = try? origin.subtracting(amount), origin < end else { return nil }
        return origin..<end
    }
}

extension Range<ExactDecimal> {
    /// The length of the part of it that lies within another range; 0 where none does.
    func length(within other: Range<ExactDecimal>) -> ExactDecimal {
        let part = clamped(to: other)
        return (try? part.upperBound.subtracting(part.lowerBound)) ?? .zero
    }
}
