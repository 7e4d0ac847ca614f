import ArgumentParser
import Foundation
import HearthKit

/// The commands of a block puzzle. They only show how its save works; the puzzle itself is not here.
@main
struct BlockPuzzle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BlockPuzzle",
        abstract: "What follows the player to every device, and what stays.",
        subcommands: [
            Status.self, Win.self, Place.self, Buy.self, Choose.self, Mute.self,
            Sync.self, Restore.self, Backups.self, Export.self, Import.self,
        ],
        defaultSubcommand: Status.self)
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show everything.")
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            let puzzle = saves.profile
            print("level \(puzzle.level), xp \(puzzle.xp), \(puzzle.premium ? "premium" : "free")")
            print("coins: \(puzzle.coins) as a counter, \(puzzle.coinsByHighest) by the highest")
            print("themes: \(list(puzzle.themes.map(\.rawValue)))")
            print("power-ups: \(list(puzzle.powerUps.map { "\($0.value) \($0.key)" }))")
            print("levels: \(list(puzzle.levels.map { "\($0.key) with \($0.value.stars) stars" }))")
            print("high scores: \(list(puzzle.highScores.map { "\($0.key) \($0.value)" }))")
            print("achievements: \(list(puzzle.achievements.map { "\($0.key) \($0.value.formatted(.iso8601))" }))")
            print("statistics: \(puzzle.statistics.games) games, \(puzzle.statistics.lines) lines")
            print("companion: \(puzzle.companion?.rawValue ?? "none")")
            for other in puzzle.$companion.alternatives {
                print("  \(other.device ?? "another device") chose \(other.value?.rawValue ?? "none"): which one?")
            }
            print("on the table: \(list(puzzle.game?.cells.map(String.init) ?? []))")
            print("sound: \(puzzle.settings.sound ? "on" : "off")")
            if let prompt = saves.pendingPrompt {
                print("\(prompt.device ?? "Another device") has your progress: see 'restore'")
            }
        }
    }

    private func list(_ words: [String]) -> String {
        words.isEmpty ? "none" : words.sorted().joined(separator: ", ")
    }
}

struct Win: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Finish a level: win 3 --stars 2 --score 400")
    @Argument var level: Int
    @Option var stars = 1
    @Option var score = 100
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            try await saves.update { $0.win(level, stars: stars, score: score, at: .now) }
        }
    }
}

struct Place: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Put a block into the game on the table.")
    @Argument var cell: Int
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            // Saved at every move, and still there after a kill. It is local, so no other device gets it.
            try await saves.update { puzzle in
                puzzle.game = puzzle.game ?? Game()
                puzzle.game?.cells.append(cell)
                puzzle.cache["preview"] = "\(puzzle.game?.cells.count ?? 0) blocks"
            }
        }
    }
}

struct Buy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Buy a theme for 30, a power-up for 10, or premium.")
    @Argument var thing: String
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            let isBought = try await saves.update { puzzle in
                if let theme = Theme(rawValue: thing), puzzle.pay(30) {
                    puzzle.themes.insert(theme)
                } else if let powerUp = PowerUp(rawValue: thing), puzzle.pay(10) {
                    puzzle.powerUps[powerUp, default: 0] += 1
                } else if thing == "premium" {
                    puzzle.premium = true
                } else {
                    return false
                }
                return true
            }
            print(isBought ? "\(thing) is yours." : "\(thing) cannot be bought.")
        }
    }
}

struct Choose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Choose a companion; one for all devices.")
    @Argument var companion: Companion
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            try await saves.update { puzzle in
                if puzzle.$companion.isOpen {
                    puzzle.$companion.decide(companion)
                } else {
                    puzzle.companion = companion
                }
            }
        }
    }
}

struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Turn the sound of this device off.")
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in try await saves.update { $0.settings.sound = false } }
    }
}

extension Companion: ExpressibleByArgument {}
