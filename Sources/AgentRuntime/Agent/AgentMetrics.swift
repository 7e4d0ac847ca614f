import HouseholdAgent
import Metrics

/// The agent's counters (swift-metrics).
struct AgentMetrics: Sendable {
    /// File events of watched profiles.
    private let fileEvents = Metrics.Counter(label: "hearth_file_events_total")
    /// Connections that completed their TLS handshake.
    private let connections = Metrics.Counter(label: "hearth_connections_total")
    /// Incoming connections that were refused before the device was known.
    private let refusals = Metrics.Counter(label: "hearth_refused_connections_total")
    /// Application bytes received from other devices.
    private let received = Metrics.Counter(label: "hearth_received_bytes_total")
    /// Requests to the agent, over the control socket or from within the process.
    private let requests = Metrics.Counter(label: "hearth_requests_total")

    func count(_ event: AgentEvent) {
        switch event {
        case .file: fileEvents.increment()
        case .transport(.opened): connections.increment()
        case .transport(.refused(_, _, let count)): refusals.increment(by: count)
        case .transport(.received(_, let bytes)): received.increment(by: bytes.count)
        case .request: requests.increment()
        default: break
        }
    }
}
