import HearthKit

/// What the game remembers.
struct Player: Profile {
    @Highest var level = 1
    @Counter var coins = 0
    @Union var themes: Set<String> = []
}

var options = StoreOptions()
options.folder = CommandLine.arguments.dropFirst().first
options.agent = .none

let saves = try await ProfileStore<Player>.open(game: "stand-alone", slot: "player", options)
let coins = try await saves.update { player in
    player.coins += 5
    player.level = max(player.level, player.coins / 10)
    player.themes.insert("neon")
    return player.coins
}
try await saves.close()
print("\(coins) coins in \(saves.path)")
