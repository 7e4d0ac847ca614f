import LosslessJSON

/// What a container says about what is in it.
enum GuessContext {
    case none, counters, bests, unlocks, purses

    init?(_ name: NameWords) {
        if name.has(GuessWords.counters) {
            self = .counters
        } else if name.has(GuessWords.bests) {
            self = .bests
        } else if name.has(GuessWords.unlocked) {
            self = .unlocks
        } else if name.has(GuessWords.purses) {
            self = .purses
        } else {
            return nil
        }
    }
}

/// A rule for a value, and why.
struct Guess {
    let rule: MergeRule
    let reason: String

    init(_ rule: MergeRule, _ reason: String) { (self.rule, self.reason) = (rule, reason) }

    static let standard = Guess(MergeRule(.latest), "the machine that changed it last is right")

    /// Whether the value is this device's business.
    static func local(_ name: NameWords, isContainer: Bool) -> Guess? {
        let isWeak = name.has(GuessWords.weakSettings) && (name.words.count == 1 || name.has(GuessWords.settingTails))
        if !name.has(GuessWords.unlocked),
            isWeak || name.has(GuessWords.settings) || name.words == ["selected", "theme"]
        {
            return Guess(MergeRule(.local), "a setting of this device")
        }
        let isRunning = isContainer ? name.has(GuessWords.running) : name.ends(GuessWords.running)
        let isGame = name.begins(GuessWords.current) && name.ends(GuessWords.games)
        let isScratch = name.begins(["temp", "tmp", "cached", "cache", "session"]) && !name.has(GuessWords.totals)
        guard isRunning && !name.has(GuessWords.totals) || isGame || isScratch else { return nil }
        return Guess(MergeRule(.local), "the game being played, not progress; it stays here")
    }

    /// A rule for a scalar.
    ///
    /// - Parameter isCollected: The name is that of the collection the value is in, not its own.
    static func scalar(_ name: NameWords, _ facts: ValueFacts, _ context: GuessContext, isCollected: Bool) -> Guess? {
        if !isCollected, let local = local(name, isContainer: false) { return local }
        switch facts.kind {
        case .truth:
            guard name.has(GuessWords.done) || context == .unlocks, !name.has(GuessWords.passing),
                !name.begins(GuessWords.switches)
            else { return nil }
            return Guess(MergeRule(.flag), "once true, it stays true")
        case .date: return date(name, context)
        case .number, .numericText: return number(name, facts, context, isCollected)
        case .nothing, .text, .mixed: return nil
        }
    }

    private static func date(_ name: NameWords, _ context: GuessContext) -> Guess? {
        if name.has(GuessWords.latest) { return Guess(MergeRule(.max, as: .date), "a date; the latest counts") }
        if name.has(GuessWords.first) || context == .unlocks {
            return Guess(MergeRule(.min, as: .date), "a date; the earliest counts")
        }
        return nil
    }

    private static func number(
        _ name: NameWords,
        _ facts: ValueFacts,
        _ context: GuessContext,
        _ isCollected: Bool
    ) -> Guess? {
        let reading: MergeRule.Reading? = facts.kind == .numericText ? .number : nil
        if name.ends(GuessWords.identifiers) || name.ends(GuessWords.bits) || name.begins(GuessWords.switches) {
            return nil
        }
        if name.has(GuessWords.version) {
            guard facts.isWhole, reading == nil else { return nil }
            return Guess(MergeRule(.max), "the save's format; it only rises, when the game is updated")
        }
        if name.has(GuessWords.least) || name.has(GuessWords.bestOrLeast) && name.has(GuessWords.lowIsGood)
            || context == .bests && name.has(GuessWords.lowIsGood) && !name.has(GuessWords.totals)
        {
            return Guess(
                MergeRule(.min, as: reading, none: [0, -1, .null]),
                "the smallest counts; 0, -1 and null mean none yet"
            )
        }
        if facts.isTimestamp, !name.has(GuessWords.totals) { return timestamp(name, reading) }
        if name.has(GuessWords.passing) { return nil }
        let isPoints = name.ends(["points", "point"]) && name.has(GuessWords.pointOwners)
        let isPlayTime = name.has(["play", "played"]) && name.has(["time", "seconds", "minutes", "hours", "ms"])
        let isTotal =
            name.has(GuessWords.totals) || isPoints || isPlayTime || context == .counters
            || context == .purses && (isCollected || name.has(GuessWords.amounts))
        if name.has(GuessWords.best) || isTotal && (facts.isHuge || context == .bests) {
            return Guess(MergeRule(.max, as: reading), "the largest counts; it never falls")
        }
        if name.has(GuessWords.vital) { return nil }
        if isTotal {
            return Guess(MergeRule(.counter, as: reading), "earned and spent on every machine add up")
        }
        if name.begins(GuessWords.grown) || name.ends(GuessWords.grown) || context == .bests {
            return Guess(MergeRule(.max, as: reading), "the largest counts; it never falls")
        }
        return nil
    }

    /// Whether a name says that a number is none of its collection's records or totals.
    static func isApart(_ name: NameWords) -> Bool {
        name.has(GuessWords.passing) || name.has(GuessWords.vital) || name.ends(GuessWords.identifiers)
            || name.ends(GuessWords.bits) || name.begins(GuessWords.switches)
    }

    private static func timestamp(_ name: NameWords, _ reading: MergeRule.Reading?) -> Guess? {
        if name.has(GuessWords.latest) { return Guess(MergeRule(.max, as: reading), "a time; the latest counts") }
        guard name.has(GuessWords.first) else { return nil }
        return Guess(MergeRule(.min, as: reading, none: [0, -1, .null]), "a time; the earliest counts")
    }
}
