import HouseholdAgent
import ProfileKeeping
import TestSupport
import Testing

@testable import AgentRuntime

/// What each counter of the agent counts.
@Suite struct AgentMetricsTests {
    private let metrics = AgentMetrics()
    private let address = PeerAddress(host: "192.168.1.7", port: 4_000)
    private let connection = ConnectionID(rawValue: 1)

    private func values() -> [String: UInt64] {
        Dictionary(uniqueKeysWithValues: metrics.counters.map { ($0.name, $0.value) })
    }

    @Test func eachEventCountsInItsOwnCounter() {
        #expect(
            values() == [
                "hearth_file_events_total": 0, "hearth_connections_total": 0, "hearth_refused_connections_total": 0,
                "hearth_received_bytes_total": 0, "hearth_requests_total": 0,
            ])
        for event in [FileDebouncer.Event.replaced, .written, .unsure] {
            metrics.count(.file(path: "/saves/save.json", event))
        }
        metrics.count(
            .transport(.opened(connection, purpose: .sync, peerKey: [], remote: address, dialled: false)))
        // One event tells of many that were refused.
        metrics.count(.transport(.refused(remote: address, reason: "no TLS", count: 1)))
        metrics.count(.transport(.refused(remote: address, reason: "no TLS", count: 6)))
        metrics.count(.transport(.received(connection, [1, 2, 3])))
        metrics.count(.transport(.received(connection, [4, 5])))
        metrics.count(.request(RequestID(rawValue: 1), StatusRequest()))
        metrics.count(.request(RequestID(rawValue: 2), DevicesRequest()))
        // These are counted nowhere.
        metrics.count(.transport(.closed(connection, reason: "done")))
        metrics.count(.abandoned(RequestID(rawValue: 2)))
        metrics.count(.timer)
        #expect(
            values() == [
                "hearth_file_events_total": 3, "hearth_connections_total": 1, "hearth_refused_connections_total": 7,
                "hearth_received_bytes_total": 5, "hearth_requests_total": 2,
            ])
    }

    /// Whoever draws them knows the names from README.
    @Test func readmeNamesEachCounter() {
        let readme = Disk.text(ExampleFiles.root + "/README.md")
        for counter in metrics.counters { #expect(readme.contains("`\(counter.name)`"), "\(counter.name)") }
    }
}
