import ArgumentParser
import HouseholdAgent

/// `hearth status`: shows what is fine, what is not, and what to do.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how your saves and machines are.",
        discussion: """
            The exit code is 3 while something waits for your decision. An agent that does not answer is waited for no \
            longer than a second.

            Examples:
              hearth status
              hearth status --watch
              hearth status --json | jq -r '.profiles[] | .name + ": " + .state'
            """
    )

    /// How long a running agent may take to answer, so that the command ends within a second also where it hangs.
    private static let patience = Duration.milliseconds(800)

    @Flag(help: "Stay, and show every change until Ctrl-C.")
    var watch = false

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        guard !watch else { return try await keepWatching() }
        let report = try await ask()
        try show(report, text(report))
        if waits(report) { throw ExitCode(Int32(FailureCode.needsDecision.rawValue)) }
    }

    private func ask() async throws -> StatusReport { try await shared.ask(StatusRequest(), within: Self.patience) }

    /// What one look at the agent came to.
    private enum Look {
        case report(StatusReport)
        case trouble(CommandFailure)
    }

    /// Shows the status, and again whenever it has changed, until the command is interrupted. That the agent does not
    /// answer, or is just being started, is such a change.
    private func keepWatching() async throws {
        var last: [UInt8] = []
        while true {
            let compared: [UInt8]
            switch try await look() {
            case .report(let report):
                let words = text(report)
                // A terminal is redrawn, so also "5 seconds ago" may change. Elsewhere only real changes are printed.
                compared = Console.isTerminal && !shared.json ? Array(words.utf8) : ReplyJSON.line(report)
                if compared != last { try show(report, words) }
            case .trouble(let failure):
                compared = failure.json()
                if compared != last { try tell(failure) }
            }
            last = compared
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func look() async throws -> Look {
        do {
            return .report(try await ask())
        } catch {
            let failure = CommandFailure(error)
            guard failure.code == .failed, !(error is CancellationError) else { throw error }
            return .trouble(failure)
        }
    }

    private func tell(_ failure: CommandFailure) throws {
        if shared.json { try Console.result(failure.json()) } else { failure.print() }
    }

    private func show(_ report: StatusReport, _ words: String) throws {
        let clear = watch && Console.isTerminal ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : ""
        try shared.print(report, clear + words)
    }

    private func text(_ report: StatusReport) -> String {
        var text = StatusText(report, now: LocalTime.now, style: .standard, columns: Console.width)
        return text.text()
    }

    /// Whether the player has to decide something.
    private func waits(_ report: StatusReport) -> Bool { report.profiles.contains { $0.decisions != nil } }
}
