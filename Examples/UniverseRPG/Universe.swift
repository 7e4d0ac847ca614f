import Foundation
import HearthKit

/// The save of Universe RPG 2.0.0. Its earlier versions are in Versions.swift.
struct Universe: Profile {
    @Highest var playerLevel = 1
    @Counter var coins = 0
    @Keyed var inventory: [Item] = []
    @Latest var difficulty = Difficulty.normal
    @Latest var position = Position()
    @Once var tutorialDone = false
    @Local var settings = Settings()
    /// The migrations of this save.
    @Log(sortedBy: \.date) var migrationLog: [MigrationNote] = []

    static let profileName = "Universe RPG"
    static let versionAt = "/saveVersion"
    static let migrations = Migration.upTo12 + [Migration.to20]
    static let resets = [ResetScope("everything")]
}

struct Item: ProfilePart, Identifiable {
    var id = ""
    @Counter var count = 0
}

enum Difficulty: String, Codable { case easy, normal, hard }

struct Position: Codable {
    var x = 0
    var y = 0
}

struct Settings: Codable {
    var volume = 5
}

struct MigrationNote: Codable, Hashable {
    var date: Date
    var from: String
    var to: String
    var dropped: [String]
}

/// What the commands need of a save, in either version of the game.
protocol Save: Profile {
    var playerLevel: Int { get set }
    var coins: Int { get set }
    var inventory: [Item] { get set }
    var difficulty: Difficulty { get }
    var position: Position { get }
    mutating func note(_ migration: ProfileMigration, at date: Date)
}

extension Universe: Save {
    mutating func note(_ migration: ProfileMigration, at date: Date) {
        let from = migration.from ?? "no version"
        migrationLog.append(MigrationNote(date: date, from: from, to: migration.to, dropped: migration.dropped))
    }
}
