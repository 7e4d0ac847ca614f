package import HouseholdAgent

/// Why a request got no answer.
package enum ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No process listens on the socket.
    case agentNotRunning(socketPath: String)
    /// One sentence: the path is too long, the socket belongs to another user, or the connection broke.
    case failed(String)

    package var description: String {
        switch self {
        case .agentNotRunning(let path):
            "No agent is running (nobody answers on \(path)); start one with \"hearth agent\"."
        case .failed(let sentence): sentence
        }
    }

    /// The exit code of a command.
    package var code: FailureCode {
        switch self {
        case .agentNotRunning: .agentNotRunning
        case .failed: .failed
        }
    }
}
