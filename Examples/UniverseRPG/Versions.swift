import Foundation
import HearthKit

// The migration from each version to the next. The migration of a released version is never changed; new ones are
// added.

extension Migration {
    /// The migrations up to Universe RPG 1.2.0.
    static let upTo12 = [
        // Before 1.0.0 saves had no version.
        Migration.legacy(to: "1.0.0", .rename("/lvl", to: "playerLevel"), .move("/gold", to: "/coins")),

        // "sword,potion,potion" becomes a list with counts. No step can count, so this one is a closure in Swift.
        Migration("1.0.0", to: "1.1.0") { (old: Bag) in
            let things = (old.bag ?? "").split(separator: ",").map(String.init)
            return Inventory(
                inventory: Set(things).sorted().map { id in Thing(id: id, count: things.count { $0 == id }) })
        },

        // A switch becomes one of three words, and "3,4" two numbers. Steps are part of the rules, so every device can
        // read what a device with an older version writes.
        Migration(
            "1.1.0", to: "1.2.0",
            .rename("/easyMode", to: "difficulty"),
            .map("/difficulty", [true: "easy", false: "normal"]),
            .wrap("/place", as: "at"),
            .rename("/place", to: "position"),
            .split("/position/at", by: ",", into: "x", "y", asNumbers: true)
        ),
    ]

    /// The amulet was removed from the game; a player who had it gets 500 coins.
    static let to20 = Migration(
        "1.2.0", to: "2.0.0",
        .require("/playerLevel"),
        .remove("/amulet"),
        .compensate("/coins", add: 500, for: "/amulet"),
        .fill("/settings/volume", with: 7)
    )
}

/// The part of 1.0.0 that a migration needs, and what it becomes in 1.1.0. Everything else stays as it is.
private struct Bag: Codable { var bag: String? }
private struct Inventory: Codable { var inventory: [Thing] }
private struct Thing: Codable { var id: String; var count: Int }

/// Universe RPG 1.2.0, for a device on which the game was not updated: `--old`.
struct OldUniverse: Save {
    @Highest var playerLevel = 1
    @Counter var coins = 0
    @Keyed var inventory: [Item] = []
    @Latest var difficulty = Difficulty.normal
    @Latest var position = Position()
    @Latest var amulet: String?

    static let profileName = "Universe RPG"
    static let versionAt = "/saveVersion"
    static let migrations = Migration.upTo12

    func note(_ migration: ProfileMigration, at date: Date) {}
}
