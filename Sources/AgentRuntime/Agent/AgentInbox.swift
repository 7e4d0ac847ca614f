import HouseholdAgent

/// Where everything that happens to an agent comes together, in order.
struct AgentInbox: Sendable {
    let events: AsyncStream<AgentEvent>
    private let continuation: AsyncStream<AgentEvent>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream(of: AgentEvent.self)
    }

    func post(_ event: AgentEvent) { continuation.yield(event) }

    func close() { continuation.finish() }
}
