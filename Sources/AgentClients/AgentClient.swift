package import HouseholdAgent
package import ProfileKeeping

/// A way to an agent: over its control socket, to one in this process, or straight to the record where none runs.
package protocol AgentClient: Sendable {
    /// Sends a request and returns its response. Cancellation takes the request back, and so does an error that
    /// `onEvent` throws.
    ///
    /// - Parameter onEvent: Called with what the agent tells while the request stays open, as it comes.
    /// - Throws: ``AgentFailure`` where the agent refuses; whatever else kept it from answering.
    @discardableResult
    func send<Request: AgentRequest>(
        _ request: Request, onEvent: @escaping @Sendable (Request.Event) async throws -> Void
    ) async throws -> Request.Response

    /// Hands over a save that was just written, and returns at once. An agent in another process finds it in the file.
    func handOver(_ save: WrittenSave)
}

extension AgentClient {
    @discardableResult
    package func send<Request: AgentRequest>(_ request: Request) async throws -> Request.Response {
        try await send(request) { _ in }
    }

    package func handOver(_ save: WrittenSave) {}
}
