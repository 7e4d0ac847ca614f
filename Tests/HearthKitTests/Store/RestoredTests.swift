import HearthKit
import Testing

/// A damaged save is replaced by a backup, and the agent hears of that later, or not at all from that game.
@Suite struct RestoredTests {
    private let desk = Desk()

    /// Makes a damaged save of which the agent knows 15 coins and the backup has 5.
    private func damaged() async throws {
        for coins in [5, 10] {
            let saves = try await desk.open(desk.options(.embedded))
            try await saves.update { $0.coins += coins }
            try #require(await saves.subscribed(within: .seconds(60)))
            try await saves.close()
        }
        let file = try #require(desk.names(in: desk.saves).first { $0.hasSuffix(".json") && $0 != "profiles.json" })
        try desk.write("{\"coins\": 15", to: desk.saves + "/" + file)
    }

    private func restoring(_ agent: StoreOptions.AgentChoice) -> StoreOptions {
        var options = desk.options(agent)
        options.damagedSave = .restoreNewestBackup
        return options
    }

    @Test(arguments: [0, 2]) func theGameThatPutItBackIsKilled_andWhatWasPlayedSinceCounts(played: Int) async throws {
        try await damaged()
        let saves = try await desk.open(restoring(.none))
        #expect(saves.profile.coins == 5)
        if played > 0 { try await saves.update { $0.coins += played } }
        // This game never reached an agent; the next one does.
        let again = try await desk.open(desk.options(.embedded))
        try #require(await again.subscribed(within: .seconds(60)))
        #expect(again.profile.coins == 15 + played)
        try await again.update { $0.coins += 1 }
        try await again.close()
        let third = try await desk.open(desk.options(.embedded))
        try #require(await third.subscribed(within: .seconds(60)))
        #expect(third.profile.coins == 16 + played)
        #expect(!desk.names(in: desk.saves).contains { $0.hasPrefix(".hearth-restored-") })
        try await third.close()
    }

    /// What is played between the restore and the moment the agent hears of it.
    @Test func whatIsPlayedAtOnceCounts() async throws {
        try await damaged()
        let saves = try await desk.open(restoring(.embedded))
        try await saves.update { $0.coins += 2 }
        try #require(await saves.subscribed(within: .seconds(60)))
        #expect(saves.profile.coins == 17)
        try await saves.close()
    }

    @Test func aFreshStartIsNone() async throws {
        try await damaged()
        let first = try await desk.open(restoring(.none))
        try desk.write("{", to: first.path)
        var options = desk.options()
        options.damagedSave = .startFresh
        _ = try await desk.open(options)
        #expect(!desk.names(in: desk.saves).contains { $0.hasPrefix(".hearth-restored-") })
    }
}
