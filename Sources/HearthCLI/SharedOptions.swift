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
        onEvent: @Sendable (Request.Event) async throws -> Void = { _ in }
    ) async throws -> Request.Response {
        do {
            return try await HomeClient(home: try hearthHome()).send(request, onEvent: onEvent)
        } catch let failure as AgentFailure {
            if json { try Console.result(ReplyJSON.line(failure)) }
            let hint = failure.code == .agentNotRunning ? Self.startAgent(failure.message) : nil
            throw CommandFailure(failure.message, hint, code: failure.code)
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
