import LosslessJSON
import MergeCore

/// What the name of a container says about the values in it.
enum GuessContext {
    case none, statistics, achievements, purses, levels

    init?(_ name: NameWords) {
        if name.has(GuessWords.achievements) {
            self = .achievements
        } else if name.words.count == 1, name.has(GuessWords.statistics) {
            self = .statistics
        } else if name.words.count == 1, name.has(GuessWords.purseContainers) {
            self = .purses
        } else if name.words.count == 1, name.has(GuessWords.levels) {
            self = .levels
        } else {
            return nil
        }
    }
}

/// A guess: a rule for a value, and the reason for it.
///
/// Every rule except `latest` does harm where a name misleads, so each needs its own evidence:
/// - `counter`: the whole name is that of a currency or a tally. With one writer this rule is exact, whatever the value
///   does.
/// - `max` and `min`: the whole name is that of a record. Where the game lowers such a value, the change is lost. So
///   levels, experience and totals do not count, and in a game with prestige only a high score does.
/// - `flag` and `union`: achievements, and values whose name says that they are unlocked. A switch that a game turns
///   off again is neither.
/// - `local`: a container that is named after settings and contains settings. Other devices never get such a value.
struct Guess {
    let rule: MergeRule
    let reason: String

    init(_ rule: MergeRule, _ reason: String) { (self.rule, self.reason) = (rule, reason) }

    static let standard = Guess(MergeRule(.latest), "the machine that changed it last is right")
    static let local = Guess(MergeRule(.local), "a setting of this device")
    static let largest = "the largest counts; it never falls"

    /// A rule for a scalar.
    ///
    /// - Parameters:
    ///   - name: The name of the value, or of the collection that contains it.
    ///   - isCollected: Whether it is the name of the collection.
    ///   - startsOver: Whether the player can start over and keep a part (prestige or similar).
    static func scalar(
        _ name: NameWords, _ facts: ValueFacts, _ context: GuessContext, isCollected: Bool, startsOver: Bool
    ) -> Guess? {
        switch facts.kind {
        case .truth: return truth(name, context, isCollected)
        case .number, .numericText: return number(name, facts, context, isCollected, startsOver)
        case .nothing, .text, .mixed, .date: return nil
        }
    }

    private static func truth(_ name: NameWords, _ context: GuessContext, _ isCollected: Bool) -> Guess? {
        let flag = Guess(MergeRule(.flag), "once true, it stays true")
        let own = name.words.drop { ["is", "was", "has", "been"].contains($0) }
        let isOne = own.count == 1 && own.allSatisfy(GuessWords.done.contains)
        switch context {
        case .achievements where isCollected: return name.has(GuessWords.passing) ? nil : flag
        case .achievements where isOne: return flag
        case .levels where own == ["completed"] || own == ["achieved"]: return flag
        default:
            // Names of exactly two words, such as "tutorialDone" or "introCompleted".
            let isTutorial = own.count == 2 && GuessWords.tutorials.contains(own.first ?? "")
            return isTutorial && GuessWords.done.contains(own.last ?? "") && !isCollected ? flag : nil
        }
    }

    private static func number(
        _ name: NameWords, _ facts: ValueFacts, _ context: GuessContext, _ isCollected: Bool, _ startsOver: Bool
    ) -> Guess? {
        let reading: MergeRule.Reading? = facts.kind == .numericText ? .number : nil
        if isHighScore(name) || !startsOver && isBest(name) { return Guess(MergeRule(.max, as: reading), largest) }
        if !startsOver, isLeast(name) {
            let reason = "the smallest counts; 0, -1 and null mean none yet"
            return Guess(MergeRule(.min, as: reading, none: [0, -1, .null]), reason)
        }
        if !startsOver, context == .levels, !isCollected, isStars(name), reading == nil, facts.isFew {
            return Guess(MergeRule(.max), largest)
        }
        // No counter for texts, because Hearth would write them in another spelling; for huge numbers, which would grow
        // to hundreds of digits; and for negative values, which no currency has.
        guard reading == nil, !facts.isHuge, !facts.isNegative, !isApart(name) else { return nil }
        let isCounted = isCollected && (context == .purses || context == .statistics)
        guard isPurse(name) || isTally(name) || isCounted else { return nil }
        return Guess(MergeRule(.counter), "earned and spent on every machine add up")
    }

    /// Whether a word of the name says that the value is no total.
    static func isApart(_ name: NameWords) -> Bool {
        name.has(GuessWords.passing) || name.begins(GuessWords.switches)
    }

    // MARK: Names, as a whole

    private static func isPurse(_ name: NameWords) -> Bool {
        var others = name.words
        guard let index = others.lastIndex(where: GuessWords.purses.contains) else { return false }
        others.remove(at: index)
        return others.allSatisfy(GuessWords.purseOwners.contains)
    }

    private static func isTally(_ name: NameWords) -> Bool {
        let words = name.words
        guard let last = words.last, words.count <= 4 else { return false }
        if GuessWords.tallies.contains(last) { return true }
        if words.count >= 2, GuessWords.tallyEnds.contains(last), GuessWords.tallied.contains(words[words.count - 2]) {
            return true
        }
        if name.begins(GuessWords.lifetime), GuessWords.lifetimeEnds.contains(last) { return true }
        let rest = words.filter { $0 != "play" && $0 != "played" && $0 != "playtime" }
        return rest.count < words.count && rest.allSatisfy(GuessWords.playTimeUnits.contains)
            && (words.contains("playtime") || !rest.isEmpty)
    }

    private static func isHighScore(_ name: NameWords) -> Bool {
        if name.has(passingRecords) { return false }
        if name.has(GuessWords.highScores) { return true }
        return zip(name.words, name.words.dropFirst()).contains {
            GuessWords.best.contains($0) && ["score", "scores"].contains($1)
        }
    }

    private static func isBest(_ name: NameWords) -> Bool {
        guard let first = name.words.first, let last = name.words.last, !name.has(passingRecords) else { return false }
        if GuessWords.distances.contains(first) { return true }
        guard name.words.count >= 2, GuessWords.best.contains(first), GuessWords.feats.contains(last) else {
            return false
        }
        return !(["max", "maximum", "top"].contains(first) && GuessWords.limited.contains(last))
    }

    private static func isLeast(_ name: NameWords) -> Bool {
        guard !name.has(passingRecords) else { return false }
        if name.begins(GuessWords.least) { return name.ends(GuessWords.lowIsGood) }
        // In a survival game "bestTime" may be the longest time; for a lap time it is always the shortest.
        return name.begins(["best", "record"]) && name.has(["lap"]) && name.ends(GuessWords.lowIsGood)
    }

    private static func isStars(_ name: NameWords) -> Bool {
        name.ends(GuessWords.stars) && name.words.count <= 2 && !name.has(GuessWords.passing.subtracting(["max"]))
    }

    /// Words that say that a record covers only a limited time.
    private static let passingRecords: Set<String> = [
        "this", "current", "run", "session", "today", "daily", "weekly", "week", "monthly", "month", "season", "last",
        "previous", "prev", "since", "recent", "target", "goal", "required", "needed", "to", "for", "id", "index",
        "cap",
        "limit", "allowed", "rival", "opponent", "enemy",
    ]
}
