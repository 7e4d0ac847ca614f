import HearthKit
import Libc

/// A game as a process of its own, to be killed, or to be measured: `SaveDriver FOLDER HOW`.
@main struct SaveDriver {
    struct Hero: Profile {
        @Counter var coins = 0
        @Highest var level = 1
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(2) }
        var options = StoreOptions()
        options.folder = arguments[1]
        options.home = arguments[1] + "/home"
        options.agent = .none
        switch arguments[2] {
        case "updates":
            // Says how far it has come, until it is killed.
            let saves = try await ProfileStore<Hero>.open(game: "rpg", slot: "player", options)
            for _ in 0..<100_000 {
                say(
                    try await saves.update {
                        $0.coins += 1; return $0.coins
                    })
            }
        case "held":
            // The same, with an agent in this process.
            options.agent = .embedded
            options.network = false
            let saves = try await ProfileStore<Hero>.open(game: "rpg", slot: "player", options)
            try await saves.update { $0.coins += 1 }
            guard await saves.subscribed() else { exit(3) }
            for _ in 0..<100_000 {
                say(
                    try await saves.update {
                        $0.coins += 1; return $0.coins
                    })
            }
        case "measure": try await Measure.run(options)
        case "exit":
            try await edit(options)
            exit(0)
        case "return":
            try await edit(options)
        case "wait":
            try await edit(options)
            try await Task.sleep(for: .seconds(300))
        case "handler":
            // The game has a handler of its own.
            signal(SIGTERM, handled)
            try await edit(options)
            try await Task.sleep(for: .seconds(300))
        default: exit(2)
        }
    }

    /// An edit that nothing saves but the end.
    private static func edit(_ options: StoreOptions) async throws {
        var options = options
        (options.autoSave.coalesce, options.autoSave.idle) = (nil, nil)
        let saves = try await ProfileStore<Hero>.open(game: "rpg", slot: "player", options)
        saves.edit { $0.coins += 5 }
        kept = saves
        say(saves.profile.coins)
    }

    nonisolated(unsafe) private static var kept: ProfileStore<Hero>?

    private static func say(_ number: Int) {
        let text = Array("\(number)\n".utf8)
        _ = write(1, text, text.count)
    }
}

private func handled(_ signal: Int32) {
    var word: (UInt8, UInt8, UInt8) = (0x6F, 0x6B, 0x0A)  // ok
    _ = write(1, &word, 3)
    _exit(7)
}
