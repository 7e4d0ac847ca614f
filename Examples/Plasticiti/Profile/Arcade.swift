import HearthKit

/// What the arcade saves for one player, and how each field merges when it was played on several devices.
struct Arcade: Profile, Equatable {
    /// The last writer wins.
    var playerName = "Player"
    var wordley = Results()
    var slideIt = Results()
    /// Points of all games on all devices.
    @Counter var score = 0
    /// The best single game on any device.
    @Highest var best = 0
    @Union var trophies: Set<Trophy> = []
    /// Finished games, the newest first.
    @Log(sortedBy: \.endedAt, limit: 100) var history: [FinishedGame] = []
    /// How each device stands, by its name.
    var scoreboard: [String: Standing] = [:]
    /// The running games stay on the device they are played on, and survive everything there.
    @Local var wordleyGame: Wordley?
    @Local var slideItGame: SlideIt?

    static let resets = [
        ResetScope(
            "progress", CodingKeys.wordley, .slideIt, .score, .best, .trophies, .history, .scoreboard)
    ]

    /// Worked out, never saved.
    var achievementPercent: Int {
        100 * Trophy.allCases.count(where: trophies.contains) / Trophy.allCases.count
    }
}

/// How far a player is in one game.
struct Results: ProfilePart, Equatable {
    /// Never falls.
    @Highest var level = 1
    @Highest var best = 0
    @Counter var played = 0
    @Counter var won = 0
}

/// How one device stands on the scoreboard.
struct Standing: ProfilePart, Equatable {
    /// Who played there last.
    var player = ""
    @Highest var best = 0
    @Counter var score = 0
    @Counter var games = 0
}
