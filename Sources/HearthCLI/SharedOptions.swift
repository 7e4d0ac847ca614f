import ArgumentParser
import ControlPage
import HearthKit
import HouseholdAgent

/// Options that most subcommands have.
struct SharedOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where this installation of Hearth lives (else $HEARTH_HOME).", valueName: "folder"))
    var home: String?

    @Flag(help: "Print JSON: one object, or one object a line.")
    var json = false

    @Flag(name: [.short, .long], help: "Don't ask; the answer is yes.")
    var yes = false

    /// The installation that is meant.
    func hearthHome() throws -> HearthHome {
        do {
            return try HearthHome.resolve(option: home, environment: Environment.all)
        } catch {
            throw CommandFailure("\(error)", code: .usage)
        }
    }

    /// Asks the agent and returns its last word; a refusal is thrown.
    ///
    /// - Parameter each: What to do with answers before the last.
    func ask(
        _ request: AgentRequest,
        each: (AgentReply) async throws -> Void = { _ in }
    ) async throws -> AgentReply {
        let reply = try await HearthDoor.ask(request, home: try hearthHome(), each: each)
        guard case .failure(let code, let sentence) = reply else { return reply }
        if json { try Console.result(ReplyJSON.line(reply)) }
        throw CommandFailure(sentence, code == .agentNotRunning ? Self.startAgent(sentence) : nil, code: code)
    }

    /// Prints a reply as JSON where that was asked for, else as `text`.
    func print(_ reply: AgentReply, _ text: @autoclosure () throws -> String) throws {
        if json {
            try Console.result(ReplyJSON.line(reply))
        } else {
            try Console.result(try text())
        }
    }

    private static func startAgent(_ sentence: String) -> String? {
        sentence.contains("hearth agent") ? nil : "start one, here or in another terminal, with: hearth agent"
    }
}
