import HearthKit
import Libc
import Testing

/// What is saved when a process ends, in each way it can end.
@Suite struct StoreEndTests {
    private let desk = Desk()

    private struct Hero: Profile {
        @Counter var coins = 0
        @Highest var level = 1
    }

    private func coins() async throws -> Int {
        var options = desk.options()
        options.folder = desk.folder
        return try await ProfileStore<Hero>.open(game: "rpg", slot: "player", options).profile.coins
    }

    /// An update that has returned survives a kill right after it.
    @Test(.timeLimit(.minutes(5)), arguments: [1, 7, 30, 61, 100])
    func killedAfterAnUpdate(count: Int) async throws {
        let game = try ChildGame([desk.folder, "updates"])
        var last = 0
        while last < count, let line = await game.line() { last = Int(line) ?? 0 }
        game.signal(SIGKILL)
        #expect(await game.end().signal == SIGKILL)
        // Read the updates that the game reported before the kill.
        while let line = await game.line() { last = Int(line) ?? last }
        #expect(last >= count)
        // One more update may have been saved than was reported.
        #expect((last...last + 1).contains(try await coins()))
        // No leftover of the killed process is in the way of the next one.
        var options = desk.options()
        options.folder = desk.folder
        let saves = try await ProfileStore<Hero>.open(game: "rpg", slot: "player", options)
        try await saves.update { $0.coins += 1 }
        #expect(desk.names(in: desk.folder).filter { $0.hasPrefix(".hearth") } == [])
    }

    /// The embedded agent is killed with its process, while it takes saves up.
    @Test(.timeLimit(.minutes(5)), arguments: [1, 20, 50])
    func killedTogetherWithItsAgent(count: Int) async throws {
        var options = desk.options(.embedded)
        (options.folder, options.home) = (desk.folder, desk.folder + "/home")
        var known = 0
        for _ in 0..<2 {
            let game = try ChildGame([desk.folder, "held"])
            var last = 0
            for _ in 0..<count { if let line = await game.line() { last = Int(line) ?? 0 } }
            game.signal(SIGKILL)
            #expect(await game.end().signal == SIGKILL)
            while let line = await game.line() { last = Int(line) ?? last }
            #expect(last > known)
            let saves = try await ProfileStore<Hero>.open(game: "rpg", slot: "player", options)
            try #require(await saves.subscribed(within: .seconds(60)))
            // The agent's count must equal the coins in the file.
            let coins = saves.profile.coins
            #expect((last...last + 1).contains(coins))
            #expect(try await saves.explain("/coins").hasPrefix("\(coins) "))
            #expect(saves.profile.coins == coins)
            known = coins
            try await saves.close()
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["exit", "return"])
    func whatIsUnsavedIsSavedAtTheEnd(how: String) async throws {
        let game = try ChildGame([desk.folder, how])
        #expect(await game.line() == "5")
        #expect(await game.end().code == 0)
        #expect(try await coins() == 5)
    }

    /// The process ends by the signal, as it would without the library.
    @Test(.timeLimit(.minutes(5)), arguments: [SIGTERM, SIGINT, SIGHUP])
    func aSignalSavesFirst(number: Int32) async throws {
        let game = try ChildGame([desk.folder, "wait"])
        #expect(await game.line() == "5")
        game.signal(number)
        #expect(await game.end().signal == number)
        #expect(try await coins() == 5)
    }

    @Test(.timeLimit(.minutes(5))) func theGamesOwnHandlerRunsAfterIt() async throws {
        let game = try ChildGame([desk.folder, "handler"])
        #expect(await game.line() == "5")
        game.signal(SIGTERM)
        #expect(await game.line() == "ok")
        #expect(await game.end().code == 7)
        #expect(try await coins() == 5)
    }
}
