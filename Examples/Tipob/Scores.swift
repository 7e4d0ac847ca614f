import Foundation
import HearthKit

/// The ways to play.
enum Mode: String, Codable, CodingKeyRepresentable, CaseIterable { case classic, memory, frenzy }

/// What Tipob keeps of a player.
///
/// `CodingKeys` is the one list of everything that is stored: what is not in it stays in memory, and what is computed
/// needs no place at all.
struct Scores: Profile {
    var modes: [Mode: ModeScore] = [:]
    var statistics = Statistics()
    @Highest var lastPlayed: Date?
    @Local var settings = Settings()

    /// Rounds in a row that reached the goal, in this sitting; in no save.
    var streak = 0

    /// Computed; in no save.
    var total: Int { modes.values.reduce(0) { $0 + $1.best } }

    enum CodingKeys: CodingKey { case modes, statistics, lastPlayed, settings }

    static let resets = [ResetScope("everything")]

    /// Saves of the first Tipob had a key for each mode, and no version.
    static let migrations = [
        Migration.legacy(
            to: "2",
            .move("/highScoreClassic", to: "/modes/classic/best"),
            .move("/longestStreakClassic", to: "/modes/classic/bestStreak"),
            .move("/highScoreMemory", to: "/modes/memory/best"),
            .move("/highScoreFrenzy", to: "/modes/frenzy/best"),
            .move("/totalGames", to: "/statistics/rounds"),
            .move("/soundOn", to: "/settings/sound")
        )
    ]
}

/// The records of one mode: those of another mode have nothing to do with them.
struct ModeScore: ProfilePart {
    @Highest var best = 0
    @Highest var bestStreak = 0
    @Counter var rounds = 0
}

/// What was done on all devices together.
struct Statistics: ProfilePart {
    @Counter var rounds = 0
    @Counter var moves = 0

    /// An average is computed from what adds up; two averages could not be merged.
    var average: Double { rounds == 0 ? 0 : Double(moves) / Double(rounds) }
}

/// How this device plays: no other one's business.
struct Settings: Codable, Sendable {
    var sound = true
    var speed = 1
}

extension Scores {
    /// What a round must reach to go on with a streak.
    static let goal = 10

    /// A round ends.
    mutating func finish(_ mode: Mode, score: Int, at time: Date) {
        streak = score >= Self.goal ? streak + 1 : 0
        var record = modes[mode] ?? ModeScore()
        record.best = max(record.best, score)
        record.bestStreak = max(record.bestStreak, streak)
        record.rounds += 1
        modes[mode] = record
        statistics.rounds += 1
        statistics.moves += score
        lastPlayed = time
    }
}
