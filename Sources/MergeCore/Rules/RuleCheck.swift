import LosslessJSON

/// Checks whether rules can be used, each by itself and all together.
enum RuleCheck {
    static func limits(_ entries: [RuleSet.Entry], _ resets: [Reset]) throws(RuleError) {
        guard entries.count <= RuleSet.entryLimit else { throw RuleError("more than \(RuleSet.entryLimit) rules") }
        guard resets.count <= Reset.countLimit else {
            throw RuleError("more than \(Reset.countLimit) resets", reset: Reset.countLimit)
        }
        var budget = PatternBudget()
        budget.add(entries.lazy.map(\.pattern))
        for reset in resets { budget.add(reset.patterns) }
        if let excess = budget.excess { throw RuleError("the paths have more than \(excess)") }
    }

    /// Checks that for every path one rule is the most specific, and that no rule lies below a whole value.
    static func overlaps(_ entries: [RuleSet.Entry]) throws(RuleError) {
        var known: [[RulePattern.Step]: Int] = [:]
        var equals: [RulePattern.Rank: [Int]] = [:]
        var wholes: [RuleSet.Entry] = []
        for (index, entry) in entries.enumerated() {
            guard known.updateValue(index, forKey: entry.pattern.steps) == nil else {
                throw RuleError("the path \"\(entry.pattern)\" has a rule already", rule: index)
            }
            for other in equals[entry.pattern.rank] ?? []
            where entries[other].rule != entry.rule && entries[other].pattern.overlaps(entry.pattern) {
                throw RuleError(
                    "\"\(entry.pattern)\" and \"\(entries[other].pattern)\" can match the same path "
                        + "and neither is more specific",
                    rule: index
                )
            }
            equals[entry.pattern.rank, default: []].append(index)
            if entry.rule.isWhole { wholes.append(entry) }
        }
        for (index, entry) in entries.enumerated() {
            for whole in wholes where whole.pattern.reachesBelow(entry.pattern) {
                if whole.pattern == entry.pattern {
                    throw RuleError(
                        "\"\(entry.pattern)\" also matches below itself, "
                            + "and \(whole.rule.wholeWord) makes it one whole value",
                        rule: index
                    )
                }
                throw RuleError(
                    "\"\(entry.pattern)\" lies below \"\(whole.pattern)\", which is one whole value",
                    rule: index
                )
            }
        }
    }

    static func resets(_ resets: [Reset]) throws(RuleError) {
        var names = Set<[UInt8]>()
        for (index, reset) in resets.enumerated() {
            guard !reset.name.isEmpty else { throw RuleError("a reset needs a name", reset: index) }
            guard reset.name.utf8.count <= Reset.nameLimit else {
                throw RuleError(
                    "the reset \"\(reset.name)\" has a name of more than \(Reset.nameLimit) bytes",
                    reset: index
                )
            }
            guard names.insert(Array(reset.name.utf8)).inserted else {
                throw RuleError("the reset \"\(reset.name)\" occurs twice", reset: index)
            }
            guard !reset.patterns.isEmpty else {
                throw RuleError("the reset \"\(reset.name)\" covers nothing; list its paths", reset: index)
            }
            var known = Set<[RulePattern.Step]>()
            for (position, pattern) in reset.patterns.enumerated() where !known.insert(pattern.steps).inserted {
                throw RuleError(
                    "the reset \"\(reset.name)\" names \"\(pattern)\" twice",
                    reset: index,
                    pattern: position
                )
            }
        }
    }

    /// The rule that keeps the place of a reset request (``RuleSet/resetAt``) on the device; none where the author
    /// wrote it.
    static func entry(
        keeping place: String?,
        _ entries: [RuleSet.Entry]
    ) throws(RuleError) -> [RuleSet.Entry] {
        guard let place else { return [] }
        let pointer: JSONPointer
        do {
            pointer = try JSONPointer(parsing: place)
        } catch {
            throw RuleError(error.message, word: "resetAt")
        }
        guard !pointer.tokens.isEmpty else {
            throw RuleError("\"resetAt\" is the whole document; name one member of it", word: "resetAt")
        }
        guard pointer.tokens.count <= RulePattern.stepLimit else {
            throw RuleError("\"resetAt\" has more than \(RulePattern.stepLimit) steps", word: "resetAt")
        }
        let kept = RuleSet.Entry(RulePattern(literally: pointer), MergeRule(.local))
        var isWritten = false
        for (index, entry) in entries.enumerated() {
            let isSame = entry.pattern.steps == kept.pattern.steps
            if isSame, entry.rule.merge == .local { isWritten = true }
            let isSynced = entry.rule.merge != .local
            if isSynced, isSame || (entry.pattern.isLiteral && kept.pattern.reachesBelow(entry.pattern)) {
                throw RuleError(
                    "\"\(entry.pattern)\" is \(entry.rule.merge.rawValue), but a game asks for a reset there "
                        + "(resetAt), so it stays on each device; remove the rule",
                    rule: index
                )
            }
            if entry.rule.isWhole, entry.pattern.reachesBelow(kept.pattern) {
                throw RuleError(
                    "\"resetAt\" lies below \"\(entry.pattern)\", which is one whole value; move it outside",
                    word: "resetAt"
                )
            }
        }
        return isWritten ? [] : [kept]
    }
}
