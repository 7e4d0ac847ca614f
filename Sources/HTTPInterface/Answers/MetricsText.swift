/// A counter of the agent, as it stands now.
package struct CounterSample: Hashable, Sendable {
    package var name: String
    /// One sentence that says what the counter counts.
    package var help: String
    package var value: UInt64

    package init(name: String, help: String, value: UInt64) { (self.name, self.help, self.value) = (name, help, value) }
}

/// Counters as Prometheus reads them (text format 0.0.4).
enum MetricsText {
    static let type = "text/plain; version=0.0.4; charset=utf-8"

    static func text(_ samples: [CounterSample]) -> String {
        samples.map { sample in
            "# HELP \(sample.name) \(sample.help)\n# TYPE \(sample.name) counter\n\(sample.name) \(sample.value)\n"
        }.joined()
    }
}
