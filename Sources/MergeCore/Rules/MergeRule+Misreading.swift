import LosslessJSON

/// Which values a rule cannot read, in words for its author.
extension MergeRule {
    /// Whether the rule takes any value, so that no place can be misread.
    var readsEverything: Bool {
        if isWhole { return true }
        switch merge {
        case .latest, .local, .furthest, .choice: return true
        case .counter, .max, .min, .flag, .union, .set: return false
        }
    }

    /// Why the rule cannot read the value at a place; `nil` where it can. Of an object or an array only matters whether
    /// it is empty.
    func misreading(_ value: JSONValue, at pattern: RulePattern) -> String? {
        let word = merge.rawValue
        switch (merge, value) {
        case (_, .null), (.latest, _), (.local, _), (.furthest, _), (.choice, _): return nil
        case (.counter, .object(let members)), (.max, .object(let members)), (.min, .object(let members)),
            (.flag, .object(let members)):
            guard !members.isEmpty else { return nil }
            return
                "the save has an object there, and \(word) takes one value; for every member of it write \(pattern)/*"
        case (.counter, _):
            if case .number? = Ordinal(value, by: self) { return nil }
            var isNumber = value.kind == .number
            if case .number? = Ordinal(value, as: reading) { isNumber = true }
            if isNumber {
                return "counter takes a number of at most 1,000 digits, but the save has a longer one there"
            }
            return "counter takes a number, but the save has \(Self.words(value)) there"
        case (.max, _), (.min, _):
            if Ordinal(value, by: self) != nil { return nil }
            if value.kind == .number { return "\(word) cannot compare the number that the save has there" }
            let wanted = reading == .date ? "a date" : reading == .number ? "a number" : "one value"
            return "\(word) takes \(wanted) here, but the save has \(Self.words(value)) there"
        case (.flag, .bool): return nil
        case (.flag, _):
            return reading == nil ? "flag takes true or false, but the save has \(Self.words(value)) there" : nil
        case (.union, _) where reading == .bits:
            if value.isEmptyContainer || BitField.elements(of: value) != nil { return nil }
            let found = value.kind == .number ? "another number" : Self.words(value)
            return "as: bits takes a whole number from 0 on, of at most \(BitField.limit) binary digits, "
                + "but the save has \(found) there"
        case (.union, .array), (.set, .array): return nil
        case (.union, _), (.set, _): return "\(word) takes a list, but the save has \(Self.words(value)) there"
        }
    }

    /// Why the rule cannot keep a list as it is, because an element is in it more than once; `nil` where none is.
    func repetition(in elements: [JSONValue]) -> String? {
        var seen = Set<JSONValue>()
        guard let twice = elements.first(where: { !seen.insert($0).inserted }) else { return nil }
        let text = String(decoding: twice.jsonBytes.prefix(40), as: UTF8.self)
        return "\(merge.rawValue) holds each element once, but the list there has \(text) more than once; "
            + "the list is not synced as it is"
    }

    /// The members by which the rule compares: those of whole values (`by`), or of the elements of a list (`sort`).
    var comparedMembers: [JSONString] { by + (sort.map { [$0] } ?? []) }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
