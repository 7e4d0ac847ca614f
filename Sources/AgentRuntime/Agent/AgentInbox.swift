import HouseholdAgent

/// The queue of all events of an agent. They are handled in the order of arrival.
struct AgentInbox: Sendable {
    let events: AsyncStream<AgentEvent>
    private let continuation: AsyncStream<AgentEvent>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream(of: AgentEvent.self)
    }

    func post(_ event: AgentEvent) { continuation.yield(event) }

    func close() { continuation.finish() }
}
