import Foundation
import HearthKit

/// The whole save of a block puzzle: the fields that follow the player to every device, and those that stay.
struct Puzzle: Profile {
    // Values that only grow: the highest one, or all of them.
    @Highest var level = 1
    @Highest var xp = 0
    @Highest var highScores: [Mode: Int] = [:]
    @Union var themes: Set<Theme> = []
    @Once var premium = false
    var levels: [Int: LevelResult] = [:]

    // Times: the first and the last.
    @Earliest var achievements: [Achievement: Date] = [:]
    @Highest var lastPlayed: Date?

    // Amounts that are earned and spent: they add up.
    @Counter var coins = 0
    @Counter var powerUps: [PowerUp: Int] = [:]
    var statistics = Statistics()

    /// The coins once more, this time as a value of which the highest wins, to show the difference. Of what two devices
    /// earned apart only the larger part counts, and nothing can be paid from it, because a smaller value never wins.
    /// So the shop uses `coins`.
    @Highest var coinsByHighest = 0

    // Something that only the player can decide.
    @Choice var companion: Companion?

    // Values that stay on this device.
    @Local var game: Game?
    @Local var settings = Settings()
    @Local var cache: [String: String] = [:]

    static let resets = [ResetScope("everything")]
}

enum Mode: String, Codable, CodingKeyRepresentable, CaseIterable { case endless, daily }
enum Theme: String, Codable, CaseIterable { case wood, neon, candy }
enum PowerUp: String, Codable, CodingKeyRepresentable, CaseIterable { case hammer, shuffle }
enum Achievement: String, Codable, CodingKeyRepresentable { case firstWin, threeStars }
enum Companion: String, Codable, CaseIterable { case cat, dog, owl }

struct LevelResult: ProfilePart {
    @Highest var stars = 0
    @Highest var score = 0
}

struct Statistics: ProfilePart {
    @Counter var games = 0
    @Counter var lines = 0
    @Highest var longestCombo = 0
}

/// The unfinished game.
struct Game: Codable {
    var cells: [Int] = []
}

struct Settings: Codable {
    var sound = true
}

extension Puzzle {
    /// Updates the save when a level is finished.
    mutating func win(_ number: Int, stars: Int, score: Int, at time: Date) {
        var result = levels[number] ?? LevelResult()
        result.stars = max(result.stars, stars)
        result.score = max(result.score, score)
        levels[number] = result
        level = max(level, number + 1)
        xp += score / 10
        highScores[.endless] = max(highScores[.endless] ?? 0, score)
        earn(10 * stars)
        statistics.games += 1
        statistics.lines += score / 100
        achievements[.firstWin] = achievements[.firstWin] ?? time
        if stars == 3 { achievements[.threeStars] = achievements[.threeStars] ?? time }
        lastPlayed = time
        game = nil
    }

    private mutating func earn(_ amount: Int) {
        coins += amount
        coinsByHighest += amount
    }

    /// Pays with coins; false where there are too few.
    mutating func pay(_ price: Int) -> Bool {
        guard coins >= price else { return false }
        coins -= price
        return true
    }
}
