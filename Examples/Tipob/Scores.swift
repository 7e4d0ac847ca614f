import Foundation
import HearthKit

enum Mode: String, Codable, CodingKeyRepresentable, CaseIterable { case classic, memory, frenzy }

/// The save of Tipob.
///
/// `CodingKeys` lists everything that is stored. A field that is not in the list stays in memory, and a computed value
/// needs no place.
struct Scores: Profile {
    var modes: [Mode: ModeScore] = [:]
    var statistics = Statistics()
    @Highest var lastPlayed: Date?
    @Local var settings = Settings()

    /// The number of rounds in a row that reached the goal; only in memory.
    var streak = 0

    /// Computed, so it is not stored.
    var total: Int { modes.values.reduce(0) { $0 + $1.best } }

    enum CodingKeys: CodingKey { case modes, statistics, lastPlayed, settings }

    static let resets = [ResetScope("everything")]

    /// Migrates saves of the first Tipob, which had a key for each mode and no version.
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

/// The records of one mode.
struct ModeScore: ProfilePart {
    @Highest var best = 0
    @Highest var bestStreak = 0
    @Counter var rounds = 0
}

/// The totals of all devices.
struct Statistics: ProfilePart {
    @Counter var rounds = 0
    @Counter var moves = 0

    /// Computed from two counters, because two averages cannot be merged.
    var average: Double { rounds == 0 ? 0 : Double(moves) / Double(rounds) }
}

/// The settings of this device; they are not synced.
struct Settings: Codable, Sendable {
    var sound = true
    var speed = 1
}

extension Scores {
    /// The score that a round needs to continue a streak.
    static let goal = 10

    /// Updates the scores when a round ends.
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
