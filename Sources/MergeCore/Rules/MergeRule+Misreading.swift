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
            return "counter takes a number, but the save has \(Self.words(value)) there"
        case (.max, _), (.min, _):
            if reading == .bits || Ordinal(value, by: self) != nil { return nil }
            let wanted = reading == .date ? "a date" : reading == .number ? "a number" : "one value"
            return "\(word) takes \(wanted) here, but the save has \(Self.words(value)) there"
        case (.flag, .bool): return nil
        case (.flag, _):
            return reading == nil ? "flag takes true or false, but the save has \(Self.words(value)) there" : nil
        case (.union, .array), (.set, .array): return nil
        case (.union, _), (.set, _):
            return reading == nil ? "\(word) takes a list, but the save has \(Self.words(value)) there" : nil
        }
    }

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
