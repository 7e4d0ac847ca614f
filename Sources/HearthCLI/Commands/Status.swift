import ArgumentParser
import HouseholdAgent

/// `hearth status`: what is fine, what is not, and what to do.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how your saves and machines are.",
        discussion: "The exit code is 3 while something waits for your decision."
    )

    @Flag(help: "Stay, and show every change until Ctrl-C.")
    var watch = false

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        var (last, waits) = try await show(unless: nil)
        while watch {
            try await Task.sleep(for: .seconds(1))
            (last, waits) = try await show(unless: last)
        }
        if waits { throw ExitCode(Int32(FailureCode.needsDecision.rawValue)) }
    }

    /// Prints the status where it differs from `last`; returns what it compares, and whether something waits for the
    /// player.
    private func show(unless last: [UInt8]?) async throws -> ([UInt8], Bool) {
        let report = try await shared.ask(StatusRequest())
        let line = ReplyJSON.line(report)
        let waits = report.profiles.contains { $0.decisions != nil }
        if shared.json {
            if line != last { try Console.result(line) }
            return (line, waits)
        }
        var text = StatusText(report, now: LocalTime.now, style: .standard)
        let words = text.text()
        // On a terminal the new picture replaces the old one, and "5 seconds ago" may count on. Elsewhere only news.
        let compared = Console.isTerminal ? Array(words.utf8) : line
        if compared != last {
            try Console.result((watch && Console.isTerminal ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : "") + words)
        }
        return (compared, waits)
    }
}
