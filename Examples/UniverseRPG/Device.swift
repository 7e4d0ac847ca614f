import ArgumentParser
import Foundation
import HearthKit

/// Options that say where this device keeps its save and its Hearth, and which version of the game it has.
struct Device: ParsableArguments {
    /// What to do with a save that cannot be read, after the player was asked.
    enum Recovery: String, ExpressibleByArgument { case backup, fresh }

    @Option(help: "Be a device of its own: its saves and its Hearth are in this folder.")
    var on: String?

    @Option(help: "The save itself, where it is not in the usual folder.")
    var save: String?

    @Option(help: "What to do about a save that cannot be read: backup (put the newest good one back) or fresh.")
    var recover: Recovery?

    @Flag(help: "Be the game in version 1.2.0, on a device that was not updated.")
    var old = false

    @Flag(help: "Talk to no other device.")
    var alone = false

    /// Opens the save, notes a migration in it, runs the body, and closes the save.
    func play<Subject: Save>(
        _ type: Subject.Type, _ body: (ProfileStore<Subject>) async throws -> Void
    ) async throws {
        let saves = try await open(type)
        try await body(saves)
        await saves.subscribed(within: .seconds(3))
        try await saves.close()
    }

    /// Opens the save, and notes a migration in it.
    func open<Subject: Save>(_ type: Subject.Type) async throws -> ProfileStore<Subject> {
        var options = StoreOptions()
        options.folder = on.map { $0 + "/saves" }
        options.home = on.map { $0 + "/hearth" }
        options.deviceName = on?.split(separator: "/").last.map(String.init)
        options.file = save
        options.network = !alone
        options.pairedProfile = .automatic
        options.damagedSave =
            switch recover {
            case nil: .refuse
            case .backup: .restoreNewestBackup
            case .fresh: .startFresh
            }
        // Throws where the save is of a later version, cannot be read or cannot be migrated. The save then stays as it
        // is.
        let saves = try await ProfileStore<Subject>.open(game: "universe-rpg", slot: "player", options)
        if let migration = saves.migration {
            print("The save was migrated from \(migration.from ?? "no version") to \(migration.to):")
            for step in migration.steps { print("  \(step)") }
            for place in migration.dropped { print("  dropped \(place)") }
            try await saves.update { $0.note(migration, at: .now) }
        }
        await saves.subscribed(within: .seconds(3))
        return saves
    }
}
