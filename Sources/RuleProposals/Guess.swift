import LosslessJSON
import MergeCore

/// What the name of a container says about the values in it.
enum GuessContext {
    case none, statistics, achievements, purses, levels
    /// Levels with the fewest moves: their best time is the shortest. Of other levels it may be the longest.
    case solvedLevels
    /// The criteria of an achievement, each with the date on which it was met.
    case criteria
    /// Things of which the player has some: one element for each kind.
    case stacks

    init?(_ name: NameWords) {
        if name.has(GuessWords.achievements) {
            self = .achievements
        } else if name.words.count == 1, name.has(GuessWords.statistics) {
            self = .statistics
        } else if name.words.count == 1, name.has(GuessWords.purseContainers) {
            self = .purses
        } else if name.words.count == 1, name.has(GuessWords.levels) {
            self = .levels
        } else if name.words == ["criteria"] {
            self = .criteria
        } else {
            return nil
        }
    }

    var isLevels: Bool { self == .levels || self == .solvedLevels }
}

/// A guess: a rule for a value, and the reason for it.
///
/// Every rule except `latest` does harm where a name misleads, so each needs its own evidence:
/// - `counter`: the whole name is that of a currency, of what is bought with one (hints, how many of a thing), or a tally.
///   With one writer this rule is exact, whatever the value does. In a game with prestige a total of what was bought
///   belongs to the run, as its purse does, so it is no counter there.
/// - `max` and `min`: the whole name is that of a record. Where the game lowers such a value, the change is lost. So
///   levels, experience and totals do not count, but the last level that was unlocked does. In a game with prestige only
///   a high score does.
/// - `flag` and `union`: achievements, and values whose name says that they are unlocked, or that a game keeps a book of
///   them (maps visited, mail received). A switch that a game turns off again is neither, and a list of upgrades is no
///   such list, because a new run begins without them.
/// - `min` of dates: only for the criteria of achievements, which are met once.
/// - `local`: a container that is named after settings and contains settings. Other devices never get such a value.
struct Guess {
    let rule: MergeRule
    let reason: String

    init(_ rule: MergeRule, _ reason: String) { (self.rule, self.reason) = (rule, reason) }

    static let standard = Guess(MergeRule(.latest), "the machine that changed it last is right")
    static let local = Guess(MergeRule(.local), "a setting of this device")
    static let earliest = Guess(MergeRule(.min, as: .date), "the earliest counts: that is when it happened")
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
        case .date: return isCollected && context == .criteria ? .earliest : nil
        case .nothing, .text, .mixed: return nil
        }
    }

    private static func truth(_ name: NameWords, _ context: GuessContext, _ isCollected: Bool) -> Guess? {
        let flag = Guess(MergeRule(.flag), "once true, it stays true")
        let own = name.words.drop { ["is", "was", "has", "been"].contains($0) }
        let isOne = own.count == 1 && own.allSatisfy(GuessWords.done.contains)
        switch context {
        case .achievements where isCollected: return name.has(GuessWords.passing) ? nil : flag
        case .achievements where isOne: return flag
        case _ where context.isLevels && (own == ["completed"] || own == ["achieved"]): return flag
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
        if !startsOver, isLeast(name) || context == .solvedLevels && name.words == ["best", "time"] {
            let reason = "the smallest counts; 0, -1 and null mean none yet"
            return Guess(MergeRule(.min, as: reading, none: [0, -1, .null]), reason)
        }
        if !startsOver, context.isLevels, !isCollected, isStars(name), reading == nil, facts.isFew {
            return Guess(MergeRule(.max), largest)
        }
        // No counter for texts that Hearth would write in another spelling; for huge numbers, which would grow to hundreds
        // of digits; and for negative values, which no currency has.
        guard facts.isPlain, !facts.isHuge, !facts.isNegative, !isApart(name) else { return nil }
        let isCounted = isCollected && (context == .purses || context == .statistics)
        let isBought =
            !isCollected && (name.words == ["hints"] && !context.isLevels || context == .stacks && isAmount(name))
        guard isPurse(name) || isTally(name, startsOver) || isCounted || isBought else { return nil }
        return Guess(MergeRule(.counter, as: reading), "earned and spent on every machine add up")
    }

    /// Whether a word of the name says that the value is no total.
    static func isApart(_ name: NameWords) -> Bool {
        name.has(GuessWords.passing) || name.begins(GuessWords.switches)
    }
}
