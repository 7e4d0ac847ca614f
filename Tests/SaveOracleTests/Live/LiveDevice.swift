import Libc
import SaveOracle
import TestSupport

/// One machine: a home and a port of its own, and the agent that runs there.
final class LiveDevice {
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String

        /// The last line of what was printed.
        var json: JSON? { output.split(separator: "\n").last.flatMap { JSON(String($0)) } }
    }

    /// A command that goes on while others run.
    struct Command {
        let process: LiveProcess
        let arguments: [String]
        let output: String
        let errors: String
    }

    let name: String
    let folder: String
    let port: Int
    /// Addresses of those it is told to dial.
    var peers: [String] = []
    /// Where its game saves.
    var save: String
    private var agent: LiveProcess?
    private var commands = 0

    init(_ name: String, in folder: String, port: Int) {
        (self.name, self.port) = (name, port)
        self.folder = folder + "/" + name
        save = self.folder + "/game/save.json"
        for path in [self.folder, self.folder + "/game"] { mkdir(path, 0o700) }
    }

    var home: String { folder + "/home" }
    var address: String { "127.0.0.1:\(port)" }
    var isRunning: Bool { agent?.isRunning == true }
    var log: String { Disk.text(folder + "/agent.err") }

    // MARK: The agent

    /// Starts the agent without waiting for it.
    func launch() throws {
        let arguments =
            ["agent", "--json", "--host", "127.0.0.1", "--port", "\(port)", "--discovery", "off", "--name", name]
            + ["--until-input-ends"] + peers.flatMap { ["--peer", $0] }
        agent = try LiveProcess(
            arguments, home: home, output: folder + "/agent.out", errors: folder + "/agent.err", isTied: true)
    }

    func start() throws {
        try launch()
        try waitUntilReady()
    }

    func waitUntilReady() throws {
        let isReady = waitFor(seconds: 20) { () -> Bool? in
            guard isRunning else { return false }
            return Disk.text(folder + "/agent.out").hasSuffix("\n") ? true : nil
        }
        guard isReady == true else { throw Failure("\(name)'s agent is not ready: \(log.suffix(800))") }
    }

    /// SIGKILL.
    func kill() { agent?.end(SIGKILL) }

    /// SIGTERM, and waits until it is gone.
    func stop() throws {
        let code = agent?.end(SIGTERM)
        guard code == nil || code == 0 else { throw Failure("\(name)'s agent ended with \(code ?? 0)") }
    }

    // MARK: Commands

    func begin(_ arguments: [String]) throws -> Command {
        commands += 1
        let (output, errors) = ("\(folder)/\(commands % 8).out", "\(folder)/\(commands % 8).err")
        unlink(errors)
        let process = try LiveProcess(arguments, home: home, output: output, errors: errors)
        return Command(process: process, arguments: arguments, output: output, errors: errors)
    }

    func end(_ command: Command) throws -> Outcome {
        guard waitFor(seconds: 40, { command.process.isRunning ? nil : true }) == true else {
            throw Failure("hearth \(command.arguments) on \(name) does not end")
        }
        return Outcome(
            code: command.process.end(), output: Disk.text(command.output),
            errors: Disk.text(command.errors))
    }

    /// A status that the agent of a busy machine did not answer within a second is asked for again.
    @discardableResult
    func ask(_ arguments: String...) throws -> Outcome {
        for _ in 0..<30 {
            let outcome = try end(begin(arguments))
            if !outcome.errors.contains("runs, but does not answer") { return outcome }
        }
        throw Failure("the agent of \(name) does not answer")
    }

    /// The same, where a refusal is no part of the round.
    @discardableResult
    func tell(_ arguments: String...) throws -> Outcome {
        let outcome = try end(begin(arguments))
        guard outcome.code == 0 else { throw Failure("hearth \(arguments) on \(name): \(outcome.errors)") }
        return outcome
    }
}
