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

// Detached, because the main thread waits for what the player types: changes are shown the moment they come.
let (changes, newRecords) = (saves.changes, saves.newRecords)
let watching = Task.detached {
    for await change in changes where change.origin != .game { print(change) }
}
let records = Task.detached {
    for await record in newRecords { print("A new best: \(record.newText)") }
}

// Whenever it turns out that another device has this game as well, be it at the start or right after pairing.
@Sendable func ask(_ prompt: RestorePrompt<Player>) {
    let coins = prompt.value(of: \.coins).map { "\($0)" } ?? "no"
    print("\(prompt.device ?? "Another device") has \(coins) coins: y goes on with them too, n begins anew.")
}
let prompts = saves.prompts
if let prompt = saves.pendingPrompt { ask(prompt) }
let asking = Task.detached {
    for await prompt in prompts { ask(prompt) }
}

print("Return rolls two dice; code shows a code, join CODE types that of another device; q ends.")
while let line = readLine(), line != "q" {
    if let prompt = saves.pendingPrompt, line == "y" || line == "n" {
        if line == "y" { try await prompt.restore() } else { try await prompt.startFresh() }
        print("\(saves.profile.coins) coins now.")
        continue
    }
    if line == "code" || line.hasPrefix("join ") {
        do {
            let pairing =
                line == "code"
                ? try await saves.pair { code in print("Type this on the other device: join \(code)") }
                : try await saves.pair(with: String(line.dropFirst(5)))
            let wait = pairing.waitsFor.map { "not in step yet: \($0)" } ?? "in step"
            print("One household with \(pairing.device.name) now, \(wait).")
        } catch {
            print(error)
        }
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
asking.cancel()
