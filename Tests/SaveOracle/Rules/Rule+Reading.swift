/// How a rule reads values.
extension Rule {
    /// What `max` and `min` take: +1 or -1.
    var better: Int { merge == .min ? -1 : 1 }

    package func number(_ value: JSON) -> ExactNumber? {
        switch value {
        case .number(let text): ExactNumber(text)
        case .string(let text) where reading == .number: ExactNumber(text)
        default: nil
        }
    }

    func bits(_ value: JSON) -> UInt64? {
        if case .number(let text) = value { ExactNumber(text).flatMap { UInt64($0.description) } } else { nil }
    }

    func isNone(_ value: JSON) -> Bool {
        none.contains { JSON($0).map { $0.isSame(as: value, spelling: false) } ?? false }
    }

    /// Whether the value is of a kind that the rule is for.
    func canRead(_ value: JSON) -> Bool {
        switch merge {
        case .counter: number(value) != nil
        case .flag: if case .bool = value { true } else { false }
        case .union where reading == .bits: bits(value) != nil
        case .max, .min:
            switch value {
            case .null: isNone(value)
            case .array, .object: false
            case .string(let text) where reading == .date: isNone(value) || Moment(text, format: format) != nil
            case .string where reading == .number: isNone(value) || number(value) != nil
            default: true
            }
        default: true
        }
    }

    /// -1, 0 or +1. Values that cannot be compared are equal.
    func compare(_ one: JSON, _ two: JSON) -> Int {
        func order<T: Comparable>(_ one: T, _ two: T) -> Int { one < two ? -1 : one == two ? 0 : 1 }
        if let one = number(one), let two = number(two) { return order(one, two) }
        switch (one, two) {
        case (.string(let one), .string(let two)):
            if reading == .date, let one = Moment(one, format: format), let two = Moment(two, format: format) {
                return order(one, two)
            }
            return one.utf8.elementsEqual(two.utf8) ? 0 : one.utf8.lexicographicallyPrecedes(two.utf8) ? -1 : 1
        case (.bool(let one), .bool(let two)): return one == two ? 0 : one ? 1 : -1
        default: return 0
        }
    }

    /// Whether a list under `limit` shows one element rather than another: the larger, by `sort` or by itself; of equal
    /// ones the one whose text comes first.
    func shows(_ one: JSON, before two: JSON) -> Bool {
        var order = 0
        if let sort {
            if let first = one[sort], let second = two[sort] { order = compare(first, second) }
        } else {
            order = compare(one, two)
        }
        return order == 0 ? one.identity.utf8.lexicographicallyPrecedes(two.identity.utf8) : order > 0
    }

    /// Whether a value of a rule that only grows is less than before.
    func isLowered(from base: JSON?, to value: JSON?) -> Bool {
        guard let base else { return false }
        // Nothing yet: there is nothing to lose.
        if isNone(base) || (reading == .bits && bits(base) == 0) { return false }
        if merge == .union, base.elements?.isEmpty ?? false { return false }
        // What the rule cannot read counts for nothing.
        if merge == .max || merge == .min, !canRead(base) { return false }
        guard let value else { return true }
        switch merge {
        case .max, .min:
            if isNone(base) { return false }
            return isNone(value) || compare(value, base) == -better
        case .flag: return base.isSame(as: .bool(true)) && !value.isSame(as: .bool(true))
        case .union:
            if reading == .bits { return (bits(base) ?? 0) & ~(bits(value) ?? 0) != 0 }
            let kept = Set((value.elements ?? []).map(\.identity))
            return (base.elements ?? []).contains { !kept.contains($0.identity) }
        default: return false
        }
    }
}
