import HearthKit

/// What the arcade saves for one player, and how each field merges between devices.
struct Arcade: Profile, Equatable {
    /// A field without a wrapper: the last writer wins.
    var playerName = "Player"
    var wordley = Results()
    var slideIt = Results()
    /// The points of all games on all devices.
    @Counter var score = 0
    /// The best single game on any device.
    @Highest var best = 0
    @Union var trophies: Set<Trophy> = []
    /// Finished games, the newest first.
    @Log(sortedBy: \.endedAt, limit: 100) var history: [FinishedGame] = []
    /// The results on each device, by the device's name.
    var scoreboard: [String: Standing] = [:]
    /// Unfinished games stay on their device, also over restarts.
    @Local var wordleyGame: Wordley?
    @Local var slideItGame: SlideIt?

    static let resets = [
        ResetScope(
            "progress", CodingKeys.wordley, .slideIt, .score, .best, .trophies, .history, .scoreboard)
    ]

    /// Computed, so it is not saved.
    var achievementPercent: Int {
        100 * Trophy.allCases.count(where: trophies.contains) / Trophy.allCases.count
    }
}

/// A player's results in one game.
struct Results: ProfilePart, Equatable {
    /// Never falls, except by a reset.
    @Highest var level = 1
    @Highest var best = 0
    @Counter var played = 0
    @Counter var won = 0
}

/// The results on one device, for the scoreboard.
struct Standing: ProfilePart, Equatable {
    /// The player who last played on the device.
    var player = ""
    @Highest var best = 0
    @Counter var score = 0
    @Counter var games = 0
}
