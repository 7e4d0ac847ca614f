import AgentClients
import HouseholdAgent

extension AgentConnection {
    /// A profile to which the store is subscribed.
    struct Link: Sendable {
        let client: any AgentClient
        let id: RequestID

        /// Sends a request to the agent.
        ///
        /// - Throws: ``StoreError`` where the agent refuses, or does not answer within the limit: the game may be
        ///   waiting to save.
        @discardableResult
        func ask<Request: AgentRequest>(
            _ request: Request, within limit: Duration = .seconds(5)
        ) async throws -> Request.Response {
            do {
                return try await send(request, within: limit)
            } catch let failure as AgentFailure {
                throw StoreError(failure)
            }
        }

        /// Like ``ask(_:within:)``, but throws a refusal as the agent's own ``AgentFailure``.
        @discardableResult
        func send<Request: AgentRequest>(
            _ request: Request, within limit: Duration = .seconds(5)
        ) async throws -> Request.Response {
            let response = try await Limited.run(limit) { [client] in try await client.send(request) }
            guard let response else {
                throw StoreError(.agent, "the agent does not answer; the game goes on, and asks again")
            }
            return response
        }
    }
}
