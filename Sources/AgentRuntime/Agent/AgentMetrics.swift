import HouseholdAgent
import Metrics

/// What the agent counts.
struct AgentMetrics: Sendable {
    /// File events of watched profiles.
    private let fileEvents = Metrics.Counter(label: "hearth_file_events_total")
    /// Connections that reached TLS.
    private let connections = Metrics.Counter(label: "hearth_connections_total")
    /// Incoming connections refused before they were anybody.
    private let refusals = Metrics.Counter(label: "hearth_refused_connections_total")
    /// Application bytes received from members.
    private let received = Metrics.Counter(label: "hearth_received_bytes_total")
    /// Requests over the control surface.
    private let requests = Metrics.Counter(label: "hearth_requests_total")

    func count(_ event: AgentEvent) {
        switch event {
        case .file: fileEvents.increment()
        case .transport(.opened): connections.increment()
        case .transport(.refused): refusals.increment()
        case .transport(.received(_, let bytes)): received.increment(by: bytes.count)
        case .request: requests.increment()
        default: break
        }
    }
}
