import ArgumentParser
import Foundation
import HearthKit

/// A game that has been out for years, so saves of all its versions exist.
@main
struct UniverseRPG: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "UniverseRPG",
        abstract: "Saves of every version, their backups, and what cannot be read.",
        subcommands: [Status.self, Play.self, Backups.self, Back.self],
        defaultSubcommand: Status.self)
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the save.")
    @OptionGroup var device: Device

    func run() async throws {
        if device.old { return try await device.play(OldUniverse.self) { show($0) } }
        try await device.play(Universe.self) { saves in
            show(saves)
            print("tutorial: \(saves.profile.tutorialDone ? "done" : "open"), volume \(saves.profile.settings.volume)")
            for note in saves.profile.migrationLog {
                print(
                    "\(note.date.formatted(.iso8601)): from \(note.from) to \(note.to), \(note.dropped.count) dropped")
            }
        }
    }

    private func show(_ saves: ProfileStore<some Save>) {
        let save = saves.profile
        print(
            "level \(save.playerLevel), \(save.coins) coins, \(save.difficulty), at \(save.position.x) \(save.position.y)"
        )
        let items = save.inventory.map { "\($0.count) \($0.id)" }
        print("inventory: \(items.isEmpty ? "nothing" : items.sorted().joined(separator: ", "))")
        if let trouble = saves.agentTrouble { print(trouble) }
    }
}

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Play: play --levels 1 --coins 30 --find potion")
    @Option var levels = 0
    @Option var coins = 0
    @Option var find: String?
    @OptionGroup var device: Device

    func run() async throws {
        if device.old {
            try await device.play(OldUniverse.self, play)
        } else {
            try await device.play(Universe.self, play)
        }
    }

    private func play(_ saves: ProfileStore<some Save>) async throws {
        try await saves.update { save in
            save.playerLevel += levels
            save.coins += coins
            guard let find else { return }
            if let index = save.inventory.firstIndex(where: { $0.id == find }) {
                save.inventory[index].count += 1
            } else {
                save.inventory.append(Item(id: find, count: 1))
            }
        }
    }
}

struct Backups: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the backups on this device, or put one back.")
    @Option(help: "The number of a backup, as it is listed.") var restore: Int?
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play(Universe.self) { saves in
            let backups = try await saves.backups()
            if let restore {
                guard backups.indices.contains(restore - 1) else { throw ValidationError("There is no such backup.") }
                try await saves.restore(backup: backups[restore - 1])
                return
            }
            for (number, backup) in backups.enumerated() {
                let date = backup.date.formatted(.iso8601)
                let pools = backup.pools.map(\.rawValue).joined(separator: ", ")
                print("\(number + 1). \(date) \(pools)\(backup.damage.map { ": \($0)" } ?? "")")
            }
        }
    }
}

struct Back: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Go back to an older build of the game, on this device.")
    @Option var to = "1.2.0"
    @OptionGroup var device: Device

    func run() async throws {
        let saves = try await device.open(Universe.self)
        let migration = try await saves.rollBack(to: to)
        print("The save went back from \(migration.from ?? "no version") to \(migration.to):")
        for step in migration.steps { print("  \(step)") }
        if migration.isFromBackup { print("  it is what it was before the update") }
    }
}
