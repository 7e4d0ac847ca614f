/// What each level demands. Levels get harder, and a player who plays well climbs faster.
enum Ladder {
    /// The highest level.
    static let top = 99

    struct WordleyRules: Hashable {
        /// How many of the six rows may be used.
        var guesses: Int
        /// Whether every guess must use what is known by then.
        var usesHints: Bool
    }

    struct SlideItRules: Hashable {
        /// The number of tiles in a row.
        var side: Int
        /// The number of random moves that shuffle the board.
        var shuffle: Int
        /// The time to solve it, in seconds.
        var seconds: Int
    }

    static func wordley(_ level: Int) -> WordleyRules {
        switch level {
        case ...2: WordleyRules(guesses: 6, usesHints: false)
        case 3...4: WordleyRules(guesses: 6, usesHints: true)
        case 5...6: WordleyRules(guesses: 5, usesHints: false)
        case 7...8: WordleyRules(guesses: 5, usesHints: true)
        default: WordleyRules(guesses: 4, usesHints: true)
        }
    }

    static func slideIt(_ level: Int) -> SlideItRules {
        switch level {
        case ...1: SlideItRules(side: 3, shuffle: 10, seconds: 90)
        case 2: SlideItRules(side: 3, shuffle: 24, seconds: 90)
        case 3: SlideItRules(side: 3, shuffle: 80, seconds: 90)
        case 4: SlideItRules(side: 4, shuffle: 40, seconds: 180)
        case 5: SlideItRules(side: 4, shuffle: 80, seconds: 180)
        case 6: SlideItRules(side: 4, shuffle: 200, seconds: 240)
        default:
            SlideItRules(side: 5, shuffle: 60 * (min(level, 12) - 5), seconds: max(180, 390 - 10 * min(level, top)))
        }
    }

    /// The stars for a guessed word: three within three guesses, two within four, else one.
    static func stars(guesses: Int) -> Int { max(1, min(3, 6 - guesses)) }

    /// The stars for a solved board: three within half of the time, two within three quarters, else one.
    static func stars(milliseconds: Int, of limit: Int) -> Int {
        switch Double(milliseconds) / Double(max(limit, 1)) {
        case ...0.5: 3
        case ...0.75: 2
        default: 1
        }
    }

    /// The level after a victory: two higher for three stars, else one.
    static func next(after level: Int, stars: Int) -> Int { min(top, level + (stars >= 3 ? 2 : 1)) }

    /// The points for a victory.
    static func points(level: Int, stars: Int) -> Int { 100 * level + 50 * stars }
}
