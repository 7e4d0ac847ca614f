import HearthKit
import Testing

/// What a save of a store means to the agent: what the game did since the file, and nothing that it guessed.
@Suite struct StoreBaseTests {
    private let desk = Desk()

    /// A field that only grows is lowered beside a purse that is spent: the spending counts, and once.
    @Test func aHighestThatIsSetLower_staysWhereItIs_andTheRestCounts() async throws {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { hero in
            hero.coins = 30
            hero.bestScore = 30
            hero.themes = ["neon", "forest"]
        }
        try #require(await saves.attached(within: .seconds(20)))
        for (spent, left) in [(20, 10), (5, 5)] {
            try await saves.update { hero in
                hero.coins -= spent
                hero.bestScore -= spent
                hero.themes.remove("neon")
                hero.tutorialDone = false
            }
            #expect(saves.profile.coins == left)
            #expect(saves.profile.bestScore == 30)
            #expect(saves.profile.themes == ["neon", "forest"])
            let isCounted = try await eventually { try await saves.explain(\.coins).contains("\(left)") }
            #expect(isCounted)
        }
        #expect(try await saves.history(limit: 2).allSatisfy { $0.origin == "save" })
        try await saves.close()
        let again = try await desk.open(desk.options(.embedded))
        try #require(await again.attached(within: .seconds(20)))
        #expect(again.profile.coins == 5 && again.profile.bestScore == 30)
        try await again.close()
    }

    /// Without an agent as well.
    @Test func aSetThatShrank_isWholeAgain() async throws {
        let saves = try await desk.open()
        try await saves.update { $0.themes = ["neon", "forest"] }
        try await saves.update { $0.themes = [] }
        #expect(saves.profile.themes == ["neon", "forest"])
        #expect(try await desk.open().profile.themes == ["neon", "forest"])
    }

    /// After a reset the game is started again and saves at once, before any agent knows that it runs.
    @Test func aSaveBeforeTheAgentKnowsOfTheGame_countsFromWhatTheFileHeld() async throws {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { hero in
            hero.coins = 100
            hero.level = 9
        }
        try #require(await saves.attached(within: .seconds(20)))
        try await saves.reset()
        #expect(saves.profile.coins == 0 && saves.profile.level == 1)
        try await saves.close()

        let again = try await desk.open(desk.options(.embedded))
        try await again.update { hero in
            hero.coins += 7
            hero.level = 2
        }
        try #require(await again.attached(within: .seconds(20)))
        #expect(again.profile.coins == 7 && again.profile.level == 2, "\(again.profile)")
        try await again.close()
        #expect(try await desk.open().profile.coins == 7)
    }
}
