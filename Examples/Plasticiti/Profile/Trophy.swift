/// What a player can achieve. A trophy counts once for all devices.
enum Trophy: String, Codable, CaseIterable, Sendable {
    case firstWord, firstSlide, threeGuesses, lastGuess, wordMaster, halfTime, fifteen, twentyFour
    case tenGames, thousandPoints, bothSides, homeAndAway

    var title: String {
        switch self {
        case .firstWord: "First word"
        case .firstSlide: "First slide"
        case .threeGuesses: "Mind reader"
        case .lastGuess: "By a hair"
        case .wordMaster: "Word master"
        case .halfTime: "Half-time"
        case .fifteen: "Fifteen"
        case .twentyFour: "Twenty-four"
        case .tenGames: "Regular"
        case .thousandPoints: "Thousand"
        case .bothSides: "All-rounder"
        case .homeAndAway: "Home and away"
        }
    }

    var deed: String {
        switch self {
        case .firstWord: "guess a word"
        case .firstSlide: "solve a board"
        case .threeGuesses: "guess a word within three guesses"
        case .lastGuess: "guess a word with the last guess"
        case .wordMaster: "reach level 5 of Wordley"
        case .halfTime: "solve a board in half of its time"
        case .fifteen: "solve a board of 4 x 4"
        case .twentyFour: "solve a board of 5 x 5"
        case .tenGames: "finish ten games"
        case .thousandPoints: "score 1,000 points in all"
        case .bothSides: "win both games"
        case .homeAndAway: "finish games on two devices"
        }
    }
}

extension Arcade {
    /// Whether the game that just ended earned a trophy.
    func earns(_ trophy: Trophy, by end: Ending) -> Bool {
        let game = end.game
        let (word, slide) = (game.isWon && game.game == .wordley, game.isWon && game.game == .slideIt)
        return switch trophy {
        case .firstWord: word
        case .firstSlide: slide
        case .threeGuesses: word && game.effort <= 3
        case .lastGuess: word && game.effort == Ladder.wordley(game.level).guesses
        case .wordMaster: wordley.level >= 5
        case .halfTime: slide && end.stars == 3
        case .fifteen: slide && Ladder.slideIt(game.level).side == 4
        case .twentyFour: slide && Ladder.slideIt(game.level).side == 5
        case .tenGames: wordley.played.adding(slideIt.played) >= 10
        case .thousandPoints: score >= 1_000
        case .bothSides: wordley.won > 0 && slideIt.won > 0
        case .homeAndAway: scoreboard.count { $0.value.games > 0 } >= 2
        }
    }
}
