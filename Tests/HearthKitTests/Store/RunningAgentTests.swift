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

    @Test(.timeLimit(.minutes(5))) func itIsHeldThere_andWithoutItTheGameGoesOn() async throws {
        let saves = try await desk.open(desk.options(.running))
        try await saves.update { $0.coins = 100 }
        #expect(await eventually { saves.agentTrouble != nil })
        #expect(!saves.isSubscribed)
        let first = try await agent()
        #expect(await saves.subscribed(within: .seconds(60)))
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
        #expect(await saves.subscribed(within: .seconds(60)))
        #expect(try await saves.explain("/coins").contains("121"))
        try await saves.update { $0.coins += 1 }
        try await saves.close()
        second.signal(SIGTERM)
        #expect(await second.end().code == 0)
        #expect(try await desk.open().profile.coins == 122)
    }

    /// A game does not wait for an agent that hangs: it saves, and what it asks fails by itself.
    @Test(.timeLimit(.minutes(5))) func anAgentThatHangs() async throws {
        let agent = try await agent()
        let saves = try await desk.open(desk.options(.running))
        try await saves.update { $0.coins = 100 }
        #expect(await saves.subscribed(within: .seconds(60)))
        agent.stop()
        do {
            try await saves.recheck()
            Issue.record("it answered")
        } catch let error as StoreError {
            #expect(error.code == .agent)
        }
        // Each of these saves takes milliseconds. If they waited for the agent, it would be two seconds each.
        let start = ContinuousClock.now
        for _ in 0..<11 { try await saves.update { $0.coins += 1 } }
        #expect(ContinuousClock.now - start < .seconds(15))
        agent.signal(SIGCONT)
        #expect(await saves.subscribed(within: .seconds(60)))
        try await saves.update { $0.coins += 1 }
        #expect(try await saves.explain("/coins").contains("112"))
        #expect(saves.profile.coins == 112)
        try await saves.close()
    }

    /// Where no agent runs, the game starts one in its process, and two of its stores share it.
    @Test(.timeLimit(.minutes(5))) func automatically() async throws {
        let options = desk.options(.automatic)
        let (one, two) = (try await desk.open(options), try await desk.open(options, slot: "second"))
        try await one.update { $0.coins = 1 }
        try await two.update { $0.coins = 2 }
        try #require(await one.subscribed(within: .seconds(60)), "\(one.agentTrouble ?? "no trouble")")
        try #require(await two.subscribed(within: .seconds(60)), "\(two.agentTrouble ?? "no trouble")")
        // Other games (and the command) reach that agent as well.
        let third = try await desk.open(desk.options(.running), slot: "third")
        try await third.update { $0.coins = 3 }
        try #require(await third.subscribed(within: .seconds(60)), "\(third.agentTrouble ?? "no trouble")")
        try await one.close()
        #expect(try await two.explain("/coins").contains("2"))
        try await third.close()
        try await two.close()
        // Afterwards the home is free for another agent.
        let agent = try await agent()
        let again = try await desk.open(options)
        #expect(await again.subscribed(within: .seconds(60)))
        try await again.close()
        agent.signal(SIGTERM)
        _ = await agent.end()
    }
}
