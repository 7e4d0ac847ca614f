#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every action of the player that changes the profile.
enum Move: Sendable {
    case begin(GameKind, seed: UInt64)
    case type(Character)
    case erase
    case guess
    /// `time` is the time played since the last move, in milliseconds.
    case slide(SlideIt.Direction, time: Int)
    case pass(time: Int)
    case rename(String)
    case forgetGames
}

/// Where and when a move is made.
struct Occasion: Sendable {
    var device: String
    var now: Date
}

/// The result of a move.
struct Outcome: Sendable {
    /// Why the move was refused; `nil` where it was made.
    var refusal: String?
    /// How the game ended, where the move ended it.
    var ending: Ending?
}

extension Arcade {
    /// Makes a move. Where it ends a game, the same save moves the game to the history.
    mutating func make(_ move: Move, _ occasion: Occasion) -> Outcome {
        switch move {
        case .begin(let kind, let seed): begin(kind, seed)
        case .type(let letter): wordleyGame?.type(letter)
        case .erase: wordleyGame?.erase()
        case .guess: return guess(occasion)
        case .slide(let direction, let time): return slide(direction, time, occasion)
        case .pass(let time): return slide(nil, time, occasion)
        case .rename(let name): playerName = name
        case .forgetGames: (wordleyGame, slideItGame) = (nil, nil)
        }
        return Outcome()
    }

    /// The unfinished game of Wordley, if it can be played.
    var soundWordley: Wordley? { wordleyGame?.isSound == true ? wordleyGame : nil }

    /// The unfinished game of SlideIt, if it can be played.
    var soundSlideIt: SlideIt? { slideItGame?.isSound == true ? slideItGame : nil }

    func level(of kind: GameKind) -> Int {
        min(Ladder.top, max(1, kind == .wordley ? wordley.level : slideIt.level))
    }

    private mutating func begin(_ kind: GameKind, _ seed: UInt64) {
        var dice = Dice(seed: seed)
        switch kind {
        case .wordley: wordleyGame = Wordley(level: level(of: kind), using: &dice)
        case .slideIt: slideItGame = SlideIt(level: level(of: kind), using: &dice)
        }
    }

    private mutating func guess(_ occasion: Occasion) -> Outcome {
        guard var game = soundWordley else { return Outcome() }
        if let refusal = game.guess() { return Outcome(refusal: refusal) }
        guard game.isWon || game.isLost else {
            wordleyGame = game
            return Outcome()
        }
        wordleyGame = nil
        let stars = game.isWon ? Ladder.stars(guesses: game.guesses.count) : 0
        return finish(.wordley, level: game.level, stars, effort: game.guesses.count, answer: game.answer, occasion)
    }

    private mutating func slide(_ direction: SlideIt.Direction?, _ time: Int, _ occasion: Occasion) -> Outcome {
        guard var game = soundSlideIt else { return Outcome() }
        game.pass(time)
        if let direction, !game.isTimeUp { game.slide(direction) }
        guard game.isSolved || game.isTimeUp else {
            slideItGame = game
            return Outcome()
        }
        slideItGame = nil
        let stars = game.isSolved ? Ladder.stars(milliseconds: game.milliseconds, of: game.limit) : 0
        return finish(.slideIt, level: game.level, stars, effort: game.milliseconds / 1_000, answer: nil, occasion)
    }
}
