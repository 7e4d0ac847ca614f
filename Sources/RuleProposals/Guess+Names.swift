import LosslessJSON
import MergeCore

/// Whether the whole name of a number, and not one word of it, means a purse, a total, a best result and the like.
extension Guess {
    static func isPurse(_ name: NameWords) -> Bool {
        var others = name.words
        guard let index = others.lastIndex(where: GuessWords.purses.contains) else { return false }
        others.remove(at: index)
        return others.allSatisfy(GuessWords.purseOwners.contains)
    }

    /// How many there are of a thing.
    static func isAmount(_ name: NameWords) -> Bool { name.words.count == 1 && name.has(GuessWords.amounts) }

    static func isTally(_ name: NameWords, _ startsOver: Bool) -> Bool {
        let words = name.words
        guard let last = words.last, words.count <= 4 else { return false }
        if GuessWords.tallies.contains(last) { return true }
        if words.count >= 2, GuessWords.tallyEnds[last]?.contains(words[words.count - 2]) ?? false { return true }
        let isLifetime = startsOver ? words.first == "lifetime" : name.begins(GuessWords.lifetime)
        if isLifetime, GuessWords.lifetimeEnds.contains(last) { return true }
        if isLifetime, words.count == 2, GuessWords.finished.contains(last) { return true }
        let rest = words.filter { $0 != "play" && $0 != "played" && $0 != "playtime" }
        return rest.count < words.count && rest.allSatisfy(GuessWords.playTimeUnits.contains)
            && (words.contains("playtime") || !rest.isEmpty)
    }

    static func isHighScore(_ name: NameWords) -> Bool {
        if name.has(passingRecords) { return false }
        if name.has(GuessWords.highScores) { return true }
        return zip(name.words, name.words.dropFirst()).contains {
            GuessWords.best.contains($0) && ["score", "scores"].contains($1)
        }
    }

    static func isBest(_ name: NameWords) -> Bool {
        guard let first = name.words.first, let last = name.words.last else { return false }
        // Names of exactly three words, such as "lastUnlockedLevel".
        if name.words.count == 3, name.words[1] == "unlocked", GuessWords.reached.contains(last) {
            return GuessWords.best.contains(first) || ["last", "latest"].contains(first)
        }
        guard !name.has(passingRecords) else { return false }
        if GuessWords.distances.contains(first) { return true }
        if first == "highest", name.words.count == 2, GuessWords.reached.contains(last) || last == "rating" {
            return true
        }
        guard name.words.count >= 2, GuessWords.best.contains(first), GuessWords.feats.contains(last) else {
            return false
        }
        return !(["max", "maximum", "top"].contains(first) && GuessWords.limited.contains(last))
    }

    static func isLeast(_ name: NameWords) -> Bool {
        guard !name.has(passingRecords) else { return false }
        if name.begins(GuessWords.least) { return name.ends(GuessWords.lowIsGood) }
        if name.words.first == "best", name.words.count == 2, name.ends(GuessWords.fewIsGood) { return true }
        // In a survival game "bestTime" may be the longest time; for a lap time it is always the shortest.
        return name.begins(["best", "record"]) && name.has(["lap"]) && name.ends(GuessWords.lowIsGood)
    }

    static func isStars(_ name: NameWords) -> Bool {
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
