import AgentClients
import AgentRuntime
import ArgumentParser
import ControlInterface
import HouseholdAgent

/// Options that most subcommands share.
struct SharedOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where this installation of Hearth lives (else $HEARTH_HOME).", valueName: "folder"))
    var home: String?

    @Flag(help: "Print JSON: one object, or one object a line.")
    var json = false

    @Flag(name: [.short, .long], help: "Don't ask; the answer is yes.")
    var yes = false

    /// The home that the options and the environment name.
    func hearthHome() throws -> HearthHome {
        do {
            return try HearthHome.resolve(option: home, environment: Environment.all)
        } catch {
            throw CommandFailure("\(error)", code: .usage)
        }
    }

    /// Sends a request to the agent. A refusal is thrown as a ``CommandFailure``.
    ///
    /// - Parameter onEvent: Called with each event that the agent sends before its response.
    @discardableResult
    func ask<Request: AgentRequest>(
        _ request: Request,
        onEvent: @escaping @Sendable (Request.Event) async throws -> Void = { _ in }
    ) async throws -> Request.Response {
        let client = HomeClient(home: try hearthHome())
        return try await Self.explaining { try await client.send(request, onEvent: onEvent) }
    }

    /// Sends a request, and waits no longer for a running agent than it may take.
    func ask<Request: AgentRequest>(_ request: Request, within patience: Duration) async throws -> Request.Response {
        let client = HomeClient(home: try hearthHome())
        return try await Self.explaining { try await client.send(request, within: patience) }
    }

    private static func explaining<Response>(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let failure as AgentFailure {
            let hint = failure.code == .agentNotRunning ? startAgent(failure.message) : nil
            throw CommandFailure(failure.message, hint, code: failure.code)
        } catch let silent as HomeClient.SilentAgent {
            throw CommandFailure(
                silent.description,
                "it may be busy with a large save, so try again; if it stays so, end that process and start it again with: "
                    + "hearth agent")
        }
    }

    /// Prints a message: as JSON with `--json`, otherwise as `text`.
    func print(_ message: some AgentMessage, _ text: @autoclosure () throws -> String) throws {
        if json {
            try Console.result(ReplyJSON.line(message))
        } else {
            try Console.result(try text())
        }
    }

    /// Prints an answer in the same way, and the agent's note to standard error.
    func print(_ answer: ProfileAnswer, _ text: @autoclosure () throws -> String) throws {
        if json {
            try Console.result(ReplyJSON.line(answer))
        } else {
            try Console.result(try text())
        }
        if let note = answer.note { Console.note("note: \(PlainText.line(note))") }
    }

    private static func startAgent(_ sentence: String) -> String? {
        sentence.contains("hearth agent") ? nil : "start one, here or in another terminal, with: hearth agent"
    }
}
