package import AgentClients
import ControlInterface
import HouseholdAgent
package import Logging

/// The agent that runs on this machine, or one inside this process.
package struct LocalAgents: Sendable {
    /// Which of the two is used.
    package enum Choice: Sendable {
        /// The agent that runs on this machine; where none does, one inside this process.
        case automatic
        /// Only the agent that runs on this machine.
        case running
        /// Only an agent inside this process.
        case embedded
    }

    private let configuration: AgentConfiguration
    private let choice: Choice
    private let logger: Logger?

    /// - Parameters:
    ///   - configuration: For an agent inside this process, and for the home whose agent is meant.
    ///   - logger: Where an agent inside this process logs; `nil` for a file in its home.
    package init(_ configuration: AgentConfiguration, _ choice: Choice = .automatic, logger: Logger? = nil) {
        (self.configuration, self.choice, self.logger) = (configuration, choice, logger)
    }

    /// The path of Hearth's home folder.
    package var home: String { configuration.home.path }

    /// The numeric address on which an agent inside this process listens; `nil` for all of them.
    package var host: String? { configuration.host }

    /// Calls the body with an agent, and keeps that agent until the body returns.
    ///
    /// - Parameter mayEmbed: Whether an agent may be started inside this process where none runs on the machine. One
    ///   that ran a moment ago may be about to come back, and only one agent can use the home.
    /// - Throws: Whatever kept an agent from being reached; the body's error.
    package func withAgent<Value: Sendable>(
        mayEmbed: Bool, _ body: (any AgentClient) async throws -> Value
    ) async throws -> Value {
        // Use the embedded agent of another user in this process, where there is one.
        let isHere = choice == .automatic ? await EmbeddedAgents.shared.has(configuration.home) : false
        if choice != .embedded, !isHere {
            do {
                return try await body(ControlClient(socketPath: configuration.home.socketHere))
            } catch let error as ControlClientError {
                guard case .agentNotRunning = error, choice == .automatic, mayEmbed else { throw error }
            }
        }
        let agent = try await EmbeddedAgents.shared.acquire(configuration, logger)
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(agent)) } catch { outcome = .failure(error) }
        // Also when cancelled: only one agent can use the home, and the next one needs it free.
        await EmbeddedAgents.shared.release(configuration.home)
        return try outcome.get()
    }
}
