import HearthKit

struct Player: Profile {
    @Counter var coins = 0
    @Highest var best = 0
    @Union var faces: Set<Int> = []
    @Latest var name = "Player"
}

let saves = try await ProfileStore<Player>.open(game: "lucky", slot: "player")
print("\(saves.profile.coins) coins, best roll \(saves.profile.best), kept in \(saves.path)")
