#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a game ended, for the screen that says so.
struct Ending: Hashable, Sendable {
    var game: FinishedGame
    /// 0 for a loss.
    var stars: Int
    /// The word of a game of Wordley.
    var answer: String?
    /// The level that comes next.
    var nextLevel: Int
    var isBest: Bool
    var newTrophies: [Trophy] = []
}

extension Arcade {
    /// Counts a game that is over.
    ///
    /// - Parameter stars: How well it was won; 0 for a loss.
    mutating func finish(
        _ kind: GameKind, level: Int, _ stars: Int, effort: Int, answer: String?, _ occasion: Occasion
    ) -> Outcome {
        let isWon = stars > 0
        let points = isWon ? Ladder.points(level: level, stars: stars) : 0
        // Whole seconds read better in the save.
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
