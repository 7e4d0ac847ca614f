import HearthKit
import TestSupport
import Testing

/// How the agent understands a store's save: as the game's changes since the last file, without any guess.
@Suite struct StoreBaseTests {
    private let desk = Desk()

    /// A grow-only field is set lower in the same save in which a purse is spent: the spending counts, once.
    @Test func aHighestThatIsSetLower_staysWhereItIs_andTheRestCounts() async throws {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { hero in
            hero.coins = 30
            hero.bestScore = 30
            hero.themes = ["neon", "forest"]
        }
        try #require(await saves.subscribed(within: .seconds(60)))
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
        #expect(try await saves.history(limit: 2).allSatisfy { $0.origin == .save })
        try await saves.close()
        let again = try await desk.open(desk.options(.embedded))
        try #require(await again.subscribed(within: .seconds(60)))
        #expect(again.profile.coins == 5 && again.profile.bestScore == 30)
        try await again.close()
    }

    /// The same without an agent.
    @Test func aSetThatShrank_isWholeAgain() async throws {
        let saves = try await desk.open()
        try await saves.update { $0.themes = ["neon", "forest"] }
        try await saves.update { $0.themes = [] }
        #expect(saves.profile.themes == ["neon", "forest"])
        #expect(try await desk.open().profile.themes == ["neon", "forest"])
    }

    /// After a reset the game starts again and saves at once, before the agent knows that it runs.
    @Test func aSaveBeforeTheAgentKnowsOfTheGame_countsFromWhatTheFileHeld() async throws {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { hero in
            hero.coins = 100
            hero.level = 9
        }
        try #require(await saves.subscribed(within: .seconds(60)))
        try await saves.reset()
        #expect(saves.profile.coins == 0 && saves.profile.level == 1)
        try await saves.close()

        let again = try await desk.open(desk.options(.embedded))
        try await again.update { hero in
            hero.coins += 7
            hero.level = 2
        }
        try #require(await again.subscribed(within: .seconds(60)))
        #expect(again.profile.coins == 7 && again.profile.level == 2, "\(again.profile)")
        try await again.close()
        #expect(try await desk.open().profile.coins == 7)
    }
}
