package import HouseholdAgent

/// Why a request did not get its answer.
package enum ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody listens at that path.
    case agentNotRunning(socketPath: String)
    /// One sentence: the path is too long, the agent may not be talked to, or the connection broke.
    case failed(String)

    package var description: String {
        switch self {
        case .agentNotRunning(let path):
            "No agent is running (nobody answers on \(path)); start one with \"hearth agent\"."
        case .failed(let sentence): sentence
        }
    }

    /// The command's exit code.
    package var code: FailureCode {
        switch self {
        case .agentNotRunning: .agentNotRunning
        case .failed: .failed
        }
    }
}
