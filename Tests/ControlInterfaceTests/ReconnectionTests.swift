import AgentClients
import Testing

/// Pauses between attempts, and when an agent may be started in this process, at times that are handed in.
@Suite struct ReconnectionTests {
    private let start = ContinuousClock.now

    @Test func pausesDoubleUpToTheLongest() {
        var reconnection = Reconnection(first: .seconds(1), longest: .seconds(10), absence: .seconds(5))
        let pauses = (0..<6).map { _ in reconnection.nextPause() }
        #expect(pauses == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        reconnection.wasLost(at: start)
        #expect(reconnection.nextPause() == .seconds(1))
        _ = reconnection.nextPause()
        reconnection.wasRenewed()
        #expect(reconnection.nextPause() == .seconds(1))
    }

    @Test func anAgentThatWasThereGetsTimeToComeBack() {
        var reconnection = Reconnection(first: .seconds(1), absence: .seconds(5))
        #expect(reconnection.mayEmbed(at: start), "none was there")
        reconnection.wasLost(at: start)
        #expect(!reconnection.mayEmbed(at: start + .milliseconds(4_999)))
        #expect(reconnection.mayEmbed(at: start + .seconds(5)))
        reconnection.wasLost(at: start + .seconds(6))
        #expect(!reconnection.mayEmbed(at: start + .seconds(7)))
        reconnection.wasRenewed()
        #expect(reconnection.mayEmbed(at: start + .seconds(7)))
    }
}
