#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a game ended, for the ending screen.
struct Ending: Hashable, Sendable {
    var game: FinishedGame
    /// 0 to 3; 0 for a loss.
    var stars: Int
    /// The answer of a game of Wordley.
    var answer: String?
    /// The level of the next game.
    var nextLevel: Int
    var isBest: Bool
    var newTrophies: [Trophy] = []
}

extension Arcade {
    /// Counts a finished game.
    ///
    /// - Parameter stars: 1 to 3 for a victory; 0 for a loss.
    mutating func finish(
        _ kind: GameKind, level: Int, _ stars: Int, effort: Int, answer: String?, _ occasion: Occasion
    ) -> Outcome {
        let isWon = stars > 0
        let points = isWon ? Ladder.points(level: level, stars: stars) : 0
        // Whole seconds are easier to read in the save.
        let now = Date(timeIntervalSince1970: occasion.now.timeIntervalSince1970.rounded(.down))
        let game = FinishedGame(
            endedAt: now, game: kind, player: playerName, device: occasion.device, level: level, isWon: isWon,
            points: points, effort: effort)
        var ending = Ending(game: game, stars: stars, answer: answer, nextLevel: level, isBest: points > best)
        switch kind {
        case .wordley: Self.count(game, stars, in: &wordley)
        case .slideIt: Self.count(game, stars, in: &slideIt)
        }
        ending.nextLevel = self.level(of: kind)
        score = score.adding(points)
        best = max(best, points)
        history.insert(game, at: 0)
        var standing = scoreboard[occasion.device] ?? Standing()
        standing.player = playerName
        standing.best = max(standing.best, points)
        standing.score = standing.score.adding(points)
        standing.games = standing.games.adding(1)
        scoreboard[occasion.device] = standing
        ending.newTrophies = Trophy.allCases.filter { !trophies.contains($0) && earns($0, by: ending) }
        trophies.formUnion(ending.newTrophies)
        return Outcome(ending: ending)
    }

    private static func count(_ game: FinishedGame, _ stars: Int, in results: inout Results) {
        results.played = results.played.adding(1)
        results.best = max(results.best, game.points)
        guard game.isWon else { return }
        results.won = results.won.adding(1)
        results.level = max(results.level, Ladder.next(after: game.level, stars: stars))
    }
}
