import Testing

@testable import HearthKit

/// A store with an embedded agent.
@Suite struct StoreAgentTests {
    private let desk = Desk()

    @Test func resetHistoryUndoAndBackups() async throws {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { hero in
            hero.level = 7
            hero.coins = 50
            hero.name = "Ada"
        }
        try #require(await saves.subscribed(within: .seconds(60)))
        try await saves.update { $0.coins += 10 }
        try await saves.reset(.scope("progress"))
        #expect(saves.profile.level == 1 && saves.profile.coins == 0 && saves.profile.name == "Ada")
        let steps = try await saves.history()
        #expect(steps.first?.origin == .reset)
        try await saves.undo(steps.first)
        #expect(saves.profile.level == 7 && saves.profile.coins == 60)
        let sentence = try await saves.explain(\.coins)
        #expect(sentence.contains("60"), "\(sentence)")
        let backup = try #require(try await saves.backups().first { $0.damage == nil })
        try await saves.restore(backup: backup)
        try await saves.close()
        #expect(try await desk.open().profile == saves.profile)
    }

    /// Another program wrote the file, and the agent takes that up before the game does.
    @Test(.timeLimit(.minutes(5))) func whatAnotherProgramWroteComesFromTheFile() async throws {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { $0.coins = 1 }
        try #require(await saves.subscribed(within: .seconds(60)))
        var changes = saves.changes.makeAsyncIterator()
        try desk.write(try desk.text(of: saves.path).replacing(#""coins": 1"#, with: #""coins": 6"#), to: saves.path)
        try await saves.recheck()
        let change = try #require(await changes.next())
        #expect(change.description == "/coins: 1 became 6" && change.origin == .file)
        try await saves.close()
    }

    /// An agent that is started again starts the numbers of its reports again.
    @Test func whatANewAgentSaysIsHeard() async throws {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { $0.coins = 1 }
        try #require(await saves.subscribed(within: .seconds(60)))
        for _ in 0..<20 { try await saves.recheck() }
        try await saves.pause()
        #expect(saves.isPaused)
        saves.core.connection.renew()
        try #require(await saves.subscribed(within: .seconds(60)))
        try await saves.resume()
        #expect(!saves.isPaused)
        try await saves.close()
    }

    @Test func withoutAnAgentEverythingElseIsSaid() async throws {
        let saves = try await desk.open()
        try await saves.update { $0.coins = 1 }
        do {
            _ = try await saves.history()
            Issue.record("there is no history")
        } catch let error as StoreError {
            #expect(error.code == .noAgent)
        }
    }
}
