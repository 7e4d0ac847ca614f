import ArgumentParser
import Foundation
import HearthKit

/// A reaction game: do what you are told until you fail. The example is about its scores.
@main
struct Tipob: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Scores and streaks of every mode, on all your devices.",
        subcommands: [Status.self, Play.self, Set.self, Reset.self, Watch.self, Keys.self],
        defaultSubcommand: Status.self)
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show scores, statistics and settings.")
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            let scores = saves.profile
            for mode in Mode.allCases {
                let record = scores.modes[mode] ?? ModeScore()
                print("\(mode): best \(record.best), streak \(record.bestStreak), rounds \(record.rounds)")
            }
            print("total: \(scores.total)")
            print("rounds: \(scores.statistics.rounds), \(scores.statistics.average.formatted()) moves each")
            print("last played: \(scores.lastPlayed?.formatted(.iso8601) ?? "never")")
            print("sound: \(scores.settings.sound ? "on" : "off"), speed: \(scores.settings.speed)")
        }
    }
}

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Play rounds: tipob play classic 12 15 9")
    @Argument var mode: Mode
    @Argument(help: "What each round scored.") var rounds: [Int]
    @OptionGroup var device: Device

    func run() async throws {
        let records = try await device.play { saves in
            let records = saves.newRecords
            for score in rounds {
                try await saves.update { $0.finish(mode, score: score, at: .now) }
            }
            print("\(mode): \(rounds.count) rounds, \(saves.profile.streak) in a row now")
            return records
        }
        for await record in records where record.path.hasPrefix("/modes/") {
            print("New record! \(record.path): \(record.newText), before \(record.oldText ?? "none")")
        }
    }
}

struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Change the settings of this device.")
    @Flag(inversion: .prefixedNo) var sound: Bool?
    @Option var speed: Int?
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            try await saves.update { scores in
                scores.settings.sound = sound ?? scores.settings.sound
                scores.settings.speed = speed ?? scores.settings.speed
            }
        }
    }
}

struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Start over, on every device.")
    @Flag(help: "Put the settings of this device back as well.") var everything = false
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            try await saves.reset()
            // A reset concerns every device, but not local fields, so this device resets its settings itself.
            if everything { try await saves.update { $0.settings = Settings() } }
            print("All devices start at 0 again.")
        }
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show what happens, here and elsewhere, as it happens.")
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            let changes = saves.changes
            say("Watching; Ctrl-C ends.")
            for await change in changes {
                let origin = if case .device(let name) = change.origin { name } else { "here" }
                say("\(origin): \(change)\(change.isNewRecord ? " (new record)" : "")")
            }
        }
    }

    /// Prints a line at once, also into a file or a pipe.
    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}

struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List everything that is stored, and how it merges.")

    func run() throws {
        for field in try Scores.fields { print("\(field.path): \(field)") }
    }
}

extension Mode: ExpressibleByArgument {}
