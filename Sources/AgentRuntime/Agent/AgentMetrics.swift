import HouseholdAgent
import Synchronization

/// A counter of the agent, as it stands now.
package struct AgentCounter: Hashable, Sendable {
    package let name: String
    /// One sentence that says what the counter counts.
    package let help: String
    package let value: UInt64
}

/// The agent's counters since it started. The page's server shows them to Prometheus.
final class AgentMetrics: Sendable {
    private let fileEvents = Atomic<UInt64>(0)
    private let connections = Atomic<UInt64>(0)
    private let refusals = Atomic<UInt64>(0)
    private let received = Atomic<UInt64>(0)
    private let requests = Atomic<UInt64>(0)

    func count(_ event: AgentEvent) {
        switch event {
        case .file: fileEvents.add(1, ordering: .relaxed)
        case .transport(.opened): connections.add(1, ordering: .relaxed)
        case .transport(.refused(_, _, let count)): refusals.add(UInt64(count), ordering: .relaxed)
        case .transport(.received(_, let bytes)): received.add(UInt64(bytes.count), ordering: .relaxed)
        case .request: requests.add(1, ordering: .relaxed)
        default: break
        }
    }

    var counters: [AgentCounter] {
        func counter(_ name: String, _ help: String, _ value: borrowing Atomic<UInt64>) -> AgentCounter {
            AgentCounter(name: "hearth_\(name)_total", help: help, value: value.load(ordering: .relaxed))
        }
        return [
            counter("file_events", "File events of watched saves.", fileEvents),
            counter("connections", "Connections that completed their TLS handshake.", connections),
            counter("refused_connections", "Connections refused before the device was known.", refusals),
            counter("received_bytes", "Bytes received from other devices.", received),
            counter("requests", "Requests of commands, games and the page.", requests),
        ]
    }
}
