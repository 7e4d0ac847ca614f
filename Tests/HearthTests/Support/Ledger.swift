/// What the games of all machines did, noted by the games after each save. This is the truth that all files must reach.
struct Ledger {
    private(set) var saves = 0
    private(set) var stale = 0
    private(set) var coins = GameSave().coins
    private(set) var level = GameSave().level
    private(set) var themes = GameSave().themes
    private(set) var log = GameSave().log

    mutating func note(_ play: Play) {
        saves += 1
        if play.isStale { stale += 1 }
        coins += play.earned
        level = max(level, play.level)
        themes.insert(play.theme)
        log.insert(play.entry)
    }

    mutating func add(_ other: Ledger) {
        saves += other.saves
        stale += other.stale
        coins += other.coins - GameSave().coins
        level = max(level, other.level)
        themes.formUnion(other.themes)
        log.formUnion(other.log)
    }

    /// What a file lacks or has too much, in words; empty where it is right.
    func difference(to save: GameSave) -> [String] {
        var words: [String] = []
        if save.coins != coins { words.append("coins \(save.coins), not \(coins)") }
        if save.level != level { words.append("level \(save.level), not \(level)") }
        if save.themes != themes { words.append("themes lacking \(themes.subtracting(save.themes).sorted())") }
        if save.log != log { words.append("log lacking \(log.subtracting(save.log).sorted())") }
        return words
    }
}

/// What a game did in one save.
struct Play {
    var earned: Int
    var level: Int
    var theme: String
    var entry: String
    /// Whether the game saved from memory, without reading the file first.
    var isStale: Bool
}
