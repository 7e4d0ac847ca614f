import ControlPage
package import HouseholdAgent

/// The way to an agent: over the socket of the one that runs, or straight to one in this process.
package protocol AgentDoor: Sendable {
    /// Sends a request and returns the last reply. Every reply is handed to `each` as it comes, the last one too.
    /// Cancellation takes the request back.
    func send(
        _ request: AgentRequest, each: @Sendable (AgentReply) async throws -> Void
    ) async throws -> AgentReply
}

extension AgentDoor {
    func send(_ request: AgentRequest) async throws -> AgentReply { try await send(request) { _ in } }
}

/// The agent that runs on this machine.
struct RunningAgent: AgentDoor {
    let client: ControlClient

    init(home: HearthHome) { client = ControlClient(socketPath: home.socketHere) }

    func send(
        _ request: AgentRequest, each: @Sendable (AgentReply) async throws -> Void
    ) async throws -> AgentReply {
        try await client.send(request, each: each)
    }
}
