import AgentClients
import Testing

@Suite struct LimitedTests {
    private struct Trouble: Error {}

    @Test func whatIsInTimeComes() async {
        #expect(await Limited.run(.seconds(30)) { 5 } == 5)
    }

    @Test func whatTakesTooLongIsNotWaitedFor() async throws {
        let value: Int? = try await Limited.run(.milliseconds(10)) {
            try await Task.sleep(for: .seconds(300))
            return 5
        }
        #expect(value == nil)
    }

    @Test func anErrorComesAsItIs() async {
        await #expect(throws: Trouble.self) {
            try await Limited.run(.seconds(30)) { throw Trouble() }
        }
    }

    /// Else a command that was interrupted would say that nobody answered.
    @Test func whoeverIsCancelledIsNotToldThatItTookTooLong() async {
        let task = Task {
            try await Limited.run(.seconds(300)) { try await Task.sleep(for: .seconds(300)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
