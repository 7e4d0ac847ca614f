import TestSupport
import Testing

@testable import HTTPInterface

/// What `/metrics` shows, in Prometheus' text format (version 0.0.4).
@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    private let samples = [
        CounterSample(name: "hearth_requests_total", help: "Requests of commands.", value: 7),
        CounterSample(name: "hearth_received_bytes_total", help: "Bytes received.", value: .max),
    ]

    @Test func eachCounterHasItsHelpAndItsTypeBeforeItsValue() {
        #expect(
            MetricsText.text(samples) == """
                # HELP hearth_requests_total Requests of commands.
                # TYPE hearth_requests_total counter
                hearth_requests_total 7
                # HELP hearth_received_bytes_total Bytes received.
                # TYPE hearth_received_bytes_total counter
                hearth_received_bytes_total 18446744073709551615

                """)
        #expect(MetricsText.text([]) == "")
    }

    @Test func theServerSaysTheFormatAndGivesEveryCounter() async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            let reply = try await exchange(port, Text.get("/metrics", port, Text.bearer(try served.token())))
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(
                reply.body == """
                    # HELP hearth_requests_total Requests.
                    # TYPE hearth_requests_total counter
                    hearth_requests_total 7

                    """)
        }
    }
}
