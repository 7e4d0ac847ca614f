import AgentClients
import AgentRuntime
import ArgumentParser
import ControlInterface
import DiskStore
import HouseholdAgent

/// `hearth doctor`: tries everything that machines need to be in step, and says what is wrong and what to do.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why a machine is not seen, or a save not in step.",
        discussion: """
            Every known address of every machine is dialled, every connected one has to answer, and the disks are \
            written to: that takes up to eleven seconds. Each line that begins with '✗' says what is wrong and what to \
            do, with a command to begin with. The exit code is 0 where all is well, else 1. Without an agent only this \
            machine is looked at; an agent that does not answer at all is waited for half a minute.

            With --json: {"event": "diagnosed", "ok": false, "findings": [{"kind": "refused", "ok": false, \
            "about": "deck", "sentence": "…", "command": "hearth agent"}]}. "about" is a machine or a save; it is left \
            out where the finding is about this machine, and "command" where there is none.

            Examples:
              hearth doctor
              hearth doctor --json | jq -r '.findings[] | select(.ok | not) | .sentence'
            """
    )

    /// How long a running agent may take: as long as its tries, and a large save that keeps it busy before.
    private static let patience = Duration.seconds(30)

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let home = try shared.hearthHome()
        let report = try await Waiting.show("trying every machine", shared) { try await Self.report(home) }
        var text = DoctorText(report, style: .standard)
        text.columns = Console.width ?? DoctorText.usualColumns
        try shared.print(report, text.text)
        if !report.ok { throw ExitCode(ExitCodes.failed) }
    }

    /// The agent's report; a report of what is wrong with the agent or the home where there is none.
    private static func report(_ home: HearthHome) async throws -> DoctorReport {
        do {
            return try await HomeClient(home: home).send(DoctorRequest(), within: patience)
        } catch let silent as HomeClient.SilentAgent {
            return DoctorReport(ofSilentAgent: silent.description)
        } catch let failure as AgentFailure where failure.code == .usage {
            // The request is fine, so the agent does not know it.
            return DoctorReport(ofOtherAgent: failure.message)
        } catch let error as ControlClientError {
            return DoctorReport(ofOtherAgent: error.description)
        } catch let error as CancellationError {
            throw error
        } catch {
            // An agent that was started with other variables of the environment has its socket elsewhere.
            let isUsed = HomeLock.holder(of: home.path) == .agent
            return isUsed ? DoctorReport(ofOtherAgent: "\(error)") : DoctorReport(withoutAgent: "\(error)")
        }
    }
}
