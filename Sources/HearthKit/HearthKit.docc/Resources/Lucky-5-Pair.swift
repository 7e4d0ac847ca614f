import HearthKit

struct Player: Profile {
    @Counter var coins = 0
    @Highest var best = 0
    @Union var faces: Set<Int> = []
    @Latest var name = "Player"
}

var options = StoreOptions()
if let folder = CommandLine.arguments.dropFirst().first {
    options.folder = folder + "/saves"
    options.home = folder + "/hearth"
    options.deviceName = folder
}

let saves = try await ProfileStore<Player>.open(game: "lucky", slot: "player", options)
print("\(saves.profile.coins) coins, best roll \(saves.profile.best), kept in \(saves.path)")

let watching = Task {
    for await change in saves.changes where change.origin != .game { print(change) }
}
let records = Task {
    for await record in saves.newRecords { print("A new best: \(record.newText)") }
}

if await saves.attached(within: .seconds(2)), let prompt = saves.pendingPrompt {
    print("\(prompt.device ?? "Another device") has \(prompt.fields["/coins"] ?? "no") coins. Go on with them? (y/n/later)")
    switch readLine() {
    case "y": for change in try await prompt.restore() { print(change) }
    case "n": try await prompt.startFresh()
    default: prompt.later()
    }
}

print("Return rolls two dice; code shows a code, join CODE types that of another device; q ends.")
while let line = readLine(), line != "q" {
    if line == "code" {
        let device = try await saves.pair { code in print("Type this on the other device: \(code)") }
        print("In step with \(device.name) now.")
        continue
    }
    if line.hasPrefix("join ") {
        let device = try await saves.pair(with: String(line.dropFirst(5)))
        print("In step with \(device.name) now.")
        continue
    }
    let dice = [Int.random(in: 1...6), Int.random(in: 1...6)]
    let coins = try await saves.update { player in
        player.coins += dice[0] == dice[1] ? 10 : 1
        player.best = max(player.best, dice[0] + dice[1])
        player.faces.formUnion(dice)
        return player.coins
    }
    print("\(dice[0]) and \(dice[1]): \(coins) coins")
}
try await saves.close()
watching.cancel()
records.cancel()
