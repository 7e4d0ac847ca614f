import ArgumentParser
import HouseholdAgent

/// `hearth status`: shows what is fine, what is not, and what to do.
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

    /// Prints the status where it differs from `last`. Returns what to compare the next one with, and whether the
    /// player has to decide something.
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
        // A terminal is redrawn, so also "5 seconds ago" may change. Elsewhere only real changes are printed.
        let compared = Console.isTerminal ? Array(words.utf8) : line
        if compared != last {
            try Console.result((watch && Console.isTerminal ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : "") + words)
        }
        return (compared, waits)
    }
}
