import HearthKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A profile with every kind of field.
struct Player: Profile, Equatable {
    @Highest var level = 1
    @Highest var lastPlayed: Date?
    @Highest var bestScores: [Mode: Int] = [:]
    @Lowest var bestLap = 0
    @Lowest(none: -1, 0) var fewestMoves = -1
    @Lowest var bestTime: Double?
    @Earliest var firstWin: Date?
    @Earliest var unlockedAt: [String: Date] = [:]
    @Counter var coins = 0
    @Counter var kills: [String: Int] = [:]
    @Union var themes: Set<Theme> = []
    @Union var hints: [Mode: Set<String>] = [:]
    @Members var friends: Set<UUID> = []
    @Once var tutorialDone = false
    @Once var chests: [Int: Bool] = [:]
    @Bits var badges: Badges = []
    @Bits var achievementBits: UInt64 = 0
    @Latest var displayName = "Player"
    @Latest var colours: [String: Position] = [:]
    @Whole var keys: [String: String] = [:]
    @Choice var ending: Ending?
    @Furthest(by: \.chapter, \.xp) var campaign = Campaign()
    @Local var grid: Grid?
    @Local var volume = 0.8
    @Log(sortedBy: \.playedAt, limit: 200) var history: [Game] = []
    @Keyed var inventory: [Item] = []
    @Keyed(by: \.slot) var equipment: [Equipment] = []
    var theme = Theme.forest
    var position = Position()
    var outcome = Outcome.none
    var note: String? = "hello"
    var pet: Pet?
    var stats = Statistics()
    var levels: [String: LevelResult] = [:]
    var tags: Set<String> = []
    @Latest var route: [Position] = []
    var options: [String: Bool] = [:]

    static let resets = [
        ResetScope("progress", CodingKeys.level, .coins, .levels),
        ResetScope("games", at: ["/stats/games", "/inventory[id]/count"]),
        ResetScope("everything"),
    ]
}

enum Mode: String, Codable, CodingKeyRepresentable { case story, arcade }

enum Theme: String, Codable { case forest, desert, neon }

enum Ending: String, Codable { case king, hermit }

enum Outcome: Codable, Equatable {
    case none
    case finished(score: Int)
}

struct Badges: OptionSet, Codable, Sendable, Equatable {
    let rawValue: Int
    static let first = Badges(rawValue: 1)
    static let third = Badges(rawValue: 4)
}

struct Position: Codable, Hashable {
    var x = 0.0
    var y = 0.0
}

struct Campaign: Codable, Equatable {
    var chapter = 1
    var xp = 0
    var party: [String] = []
}

struct Grid: Codable, Equatable {
    var cells: [Int] = []
}

struct Game: Codable, Hashable {
    var playedAt: Date
    var score: Int
}

struct Item: ProfilePart, Identifiable, Equatable {
    var id = ""
    @Counter var count = 0
    var name: String?
}

struct Equipment: ProfilePart, Equatable {
    enum Slot: String, Codable { case head, hand }
    var slot = Slot.head
    @Highest var power = 0
}

struct Pet: ProfilePart, Equatable {
    var name = "Rex"
    @Counter var treats = 0
}

struct Statistics: ProfilePart, Equatable {
    @Counter var games = 0
    @Highest var streak = 0
    @Lowest var quickest: Double?
}

struct LevelResult: ProfilePart, Equatable {
    @Highest var stars = 0
    @Lowest var moves: Int?
    var skin = "plain"
}
