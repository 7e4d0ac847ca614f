import LosslessJSON

extension RuleCheck {
    /// Checks that a rule's options go with its merge and are within their limits.
    ///
    /// - Throws: ``RuleError`` that names the rule by `index`.
    static func options(of rule: MergeRule, at index: Int) throws(RuleError) {
        do {
            try reading(of: rule)
            try whole(of: rule)
            try by(of: rule)
            try shown(of: rule)
        } catch {
            var error = error
            error.rule = index
            throw error
        }
    }

    private static func reading(of rule: MergeRule) throws(RuleError) {
        let merge = rule.merge
        let allowed: [MergeRule.Merge]
        switch rule.reading {
        case nil: allowed = MergeRule.Merge.allCases
        case .number: allowed = [.max, .min, .counter, .furthest]
        case .date: allowed = [.max, .min, .furthest]
        case .bits: allowed = [.union]
        }
        guard allowed.contains(merge) else {
            let reading = rule.reading?.rawValue ?? ""
            throw misplaced("as: \(reading)", merge, goesWith: allowed, word: "as")
        }
        if !rule.none.isEmpty, merge != .max, merge != .min {
            throw misplaced("none", merge, goesWith: [.max, .min], word: "none")
        }
        guard rule.none.count <= MergeRule.noneLimit else {
            throw RuleError("\"none\" has more than \(MergeRule.noneLimit) values", word: "none")
        }
        for value in rule.none {
            switch value {
            case .array, .object:
                throw RuleError("\"none\" takes plain values, such as 0, null or \"never\"", word: "none")
            default: continue
            }
        }
        guard let format = rule.format else { return }
        guard rule.reading == .date else {
            throw RuleError("\"format\" goes with \"as: date\" only; add that, or remove the format", word: "format")
        }
        do {
            _ = try DateFormat(parsing: format)
        } catch {
            throw RuleError(error.message, word: "format")
        }
    }

    private static func whole(of rule: MergeRule) throws(RuleError) {
        let allowed: [MergeRule.Merge] = [.latest, .furthest, .choice]
        if rule.whole, !allowed.contains(rule.merge) {
            throw misplaced("whole", rule.merge, goesWith: allowed, word: "whole")
        }
    }

    private static func by(of rule: MergeRule) throws(RuleError) {
        guard rule.merge == .furthest else {
            if rule.by.isEmpty { return }
            throw misplaced("by", rule.merge, goesWith: [.furthest], word: "by")
        }
        guard !rule.by.isEmpty else {
            throw RuleError(
                "furthest needs the members that say how far a side got, such as {merge: furthest, by: [level, xp]}",
                word: "merge"
            )
        }
        guard rule.by.count <= MergeRule.byLimit else {
            throw RuleError("\"by\" has more than \(MergeRule.byLimit) members", word: "by")
        }
        guard Set(rule.by).count == rule.by.count else { throw RuleError("\"by\" names a member twice", word: "by") }
    }

    private static func shown(of rule: MergeRule) throws(RuleError) {
        for (word, isThere) in [("sort", rule.sort != nil), ("limit", rule.limit != nil)] where isThere {
            guard (rule.merge == .union || rule.merge == .set) else {
                throw misplaced(word, rule.merge, goesWith: [.union, .set], word: word)
            }
            guard rule.reading != .bits else {
                throw RuleError("\"\(word)\" does nothing with \"as: bits\", which has no elements to show", word: word)
            }
        }
        if let limit = rule.limit, !MergeRule.limits.contains(limit) {
            throw RuleError("\"limit\" takes a whole number from 1 to 1000000", word: "limit")
        }
    }

    private static func misplaced(
        _ option: String,
        _ merge: MergeRule.Merge,
        goesWith allowed: [MergeRule.Merge],
        word: String
    ) -> RuleError {
        let names = allowed.map(\.rawValue)
        let list = names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names.last!
        return RuleError("\"\(option)\" does nothing with \(merge.rawValue); it goes with \(list)", word: word)
    }
}
