import AgentRuntime
import HearthKit
import Libc
import TestSupport
import Testing

/// A store with a `hearth agent` process that comes and goes.
@Suite(.serialized) struct RunningAgentTests {
    private let desk = Desk()

    private func agent() async throws -> ChildGame {
        let agent = try ChildGame(
            "hearth", ["agent", "--home", desk.home.path, "--host", "127.0.0.1", "--discovery", "off", "--json"])
        #expect(await agent.line()?.contains("ready") == true)
        return agent
    }

    @Test(.timeLimit(.minutes(1))) func itIsHeldThere_andWithoutItTheGameGoesOn() async throws {
        let saves = try await desk.open(desk.options(.running))
        try await saves.update { $0.coins = 100 }
        #expect(await eventually { saves.agentTrouble != nil })
        #expect(!saves.isSubscribed)
        let first = try await agent()
        #expect(await saves.subscribed(within: .seconds(20)))
        try await saves.update { $0.coins += 1 }
        #expect(try await saves.history().count >= 2)
        // The agent is killed, and the game goes on.
        first.signal(SIGKILL)
        _ = await first.end()
        for _ in 0..<20 { try await saves.update { $0.coins += 1 } }
        #expect(await eventually { !saves.isSubscribed })
        do {
            _ = try await saves.history()
            Issue.record("nobody is there")
        } catch let error as StoreError {
            #expect(error.code == .noAgent)
        }
        // The agent comes back and takes up what was played.
        let second = try await agent()
        #expect(await saves.subscribed(within: .seconds(20)))
        #expect(try await saves.explain("/coins").contains("121"))
        try await saves.update { $0.coins += 1 }
        try await saves.close()
        second.signal(SIGTERM)
        #expect(await second.end().code == 0)
        #expect(try await desk.open().profile.coins == 122)
    }

    /// An agent that hangs delays the game by at most two seconds.
    @Test(.timeLimit(.minutes(1))) func anAgentThatHangs() async throws {
        let agent = try await agent()
        let saves = try await desk.open(desk.options(.running))
        try await saves.update { $0.coins = 100 }
        #expect(await saves.subscribed(within: .seconds(20)))
        agent.signal(SIGSTOP)
        let start = ContinuousClock.now
        do {
            try await saves.recheck()
            Issue.record("it answered")
        } catch let error as StoreError {
            #expect(error.code == .agent)
        }
        try await saves.update { $0.coins += 1 }
        #expect(ContinuousClock.now - start < .seconds(4))
        for _ in 0..<10 { try await saves.update { $0.coins += 1 } }
        agent.signal(SIGCONT)
        #expect(await saves.subscribed(within: .seconds(20)))
        try await saves.update { $0.coins += 1 }
        #expect(try await saves.explain("/coins").contains("112"))
        #expect(saves.profile.coins == 112)
        try await saves.close()
    }

    /// Where no agent runs, the game starts one in its process, and two of its stores share it.
    @Test(.timeLimit(.minutes(1))) func automatically() async throws {
        let options = desk.options(.automatic)
        let (one, two) = (try await desk.open(options), try await desk.open(options, slot: "second"))
        try await one.update { $0.coins = 1 }
        try await two.update { $0.coins = 2 }
        try #require(await one.subscribed(within: .seconds(20)), "\(one.agentTrouble ?? "no trouble")")
        try #require(await two.subscribed(within: .seconds(20)), "\(two.agentTrouble ?? "no trouble")")
        // Other games (and the command) reach that agent as well.
        let third = try await desk.open(desk.options(.running), slot: "third")
        try await third.update { $0.coins = 3 }
        try #require(await third.subscribed(within: .seconds(20)), "\(third.agentTrouble ?? "no trouble")")
        try await one.close()
        #expect(try await two.explain("/coins").contains("2"))
        try await third.close()
        try await two.close()
        // Afterwards the home is free for another agent.
        let agent = try await agent()
        let again = try await desk.open(options)
        #expect(await again.subscribed(within: .seconds(20)))
        try await again.close()
        agent.signal(SIGTERM)
        _ = await agent.end()
    }
}
