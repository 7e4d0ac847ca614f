import Libc
import LosslessJSON
import Synchronization
import TestSupport
import Testing

/// One machine of a household, with its own home, port and agent.
final class Machine: Sendable {
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String

        /// The last line of the output, as JSON.
        func json() throws -> JSONValue {
            guard let line = output.split(separator: "\n").last else { throw Failure("nothing printed: \(errors)") }
            return try JSONValue(parsing: Array(line.utf8))
        }
    }

    let name: String
    let folder: String
    let port: UInt16
    private let agent = Mutex<ChildProcess?>(nil)
    /// The words before each of its commands, so that they see the same mounts as its agent.
    private let entry = Mutex<[String]>([])
    private let count = Mutex(0)

    init(_ name: String, in folder: String) throws {
        self.name = name
        self.folder = "\(folder)/\(name)"
        port = try FreePort.find()
        mkdir(self.folder, 0o700)
        mkdir("\(self.folder)/game", 0o700)
    }

    var home: String { folder + "/home" }
    /// The path of the game's save. Nothing else is in its folder.
    var save: String { folder + "/game/save.json" }
    var log: String { Disk.text(folder + "/agent.err") }
    var address: String { "127.0.0.1:\(port)" }

    // MARK: The agent

    /// Starts the agent without waiting for it.
    ///
    /// - Parameters:
    ///   - options: More options of the agent.
    ///   - wrapper: A command under which the agent runs, such as `strace`. It must turn into the agent's process.
    func launch(peers: [Machine], options: [String] = [], under wrapper: [String] = []) throws {
        let arguments =
            ["agent", "--json", "--host", "127.0.0.1", "--port", "\(port)", "--discovery", "off", "--name", name]
            + peers.flatMap { ["--peer", $0.address] } + options
        let process = try ChildProcess(
            arguments, home: home, output: folder + "/agent.out", errors: folder + "/agent.err", under: wrapper)
        agent.withLock { $0 = process }
    }

    /// The agent's ready line; `nil` where it does not come in time.
    func ready() async throws -> JSONValue? {
        try await poll {
            if let code = running?.exitCode() {
                throw Failure("\(name)'s agent ended with \(code): \(log.suffix(500))")
            }
            let bytes = Disk.read(folder + "/agent.out") ?? []
            return bytes.last == UInt8(ascii: "\n") ? try JSONValue(parsing: bytes) : nil
        }
    }

    @discardableResult
    func start(
        peers: [Machine], options: [String] = [], under wrapper: [String] = []
    ) async throws -> JSONValue {
        try launch(peers: peers, options: options, under: wrapper)
        guard let line = try await ready() else { throw Failure("\(name)'s agent is not ready: \(log.suffix(500))") }
        return line
    }

    var running: ChildProcess? { agent.withLock { $0 } }

    /// Kills the agent (SIGKILL).
    func kill() { running?.kill() }

    /// Stops the agent (SIGTERM). The exit code; `nil` where it does not end.
    func stop() async throws -> Int32? {
        running?.signal(SIGTERM)
        return try await running?.end()
    }

    #if os(Linux)
        /// Starts the agent with its own mounts, which disappear with it.
        ///
        /// - Parameter mounts: A shell script that runs before the agent.
        func start(peers: [Machine], mounting mounts: String) async throws {
            entry.withLock { $0 = [] }
            let shell = ["sh", "-e", "-c", mounts + "\nexec \"$@\"", "sh"]
            try await start(peers: peers, under: ["unshare", "--mount", "--propagation", "private"] + shell)
            guard let id = running?.id else { return }
            entry.withLock { $0 = ["nsenter", "--target", "\(id)", "--mount"] }
        }

        /// Runs a shell script among the agent's mounts.
        func mount(_ script: String) async throws {
            let process = try ChildProcess(
                entry.withLock { $0 } + ["sh", "-e", "-c", script], in: "/", output: folder + "/mount.out",
                errors: folder + "/mount.err")
            guard try await process.end() == 0 else {
                throw Failure("\(script): \(Disk.text(folder + "/mount.err"))")
            }
        }

        /// The path of a file for processes that do not see the agent's mounts.
        func within(_ path: String) -> String { "/proc/\(running?.id ?? 0)/root" + path }
    #endif

    // MARK: The command

    func ask(_ arguments: String...) async throws -> Outcome { try await ask(arguments) }

    /// A status that the agent of a busy machine did not answer within a second is asked for again.
    func ask(_ arguments: [String], within limit: Duration = .seconds(60)) async throws -> Outcome {
        let end = ContinuousClock.now + limit
        while true {
            let outcome = try await askOnce(arguments, within: limit)
            let isSilent = outcome.errors.contains("runs, but does not answer")
            guard isSilent, ContinuousClock.now < end else { return outcome }
        }
    }

    func askOnce(_ arguments: [String], within limit: Duration = .seconds(60)) async throws -> Outcome {
        let command = try begin(arguments)
        guard let code = try await command.process.end(within: limit) else {
            throw Failure("hearth \(arguments) on \(name) did not end in time: \(Disk.text(command.errors))")
        }
        return Outcome(code: code, output: Disk.text(command.output), errors: Disk.text(command.errors))
    }

    /// A command that runs while the test goes on.
    struct Command {
        let process: ChildProcess
        let output: String
        let errors: String
    }

    /// - Parameter wrapper: A command under which it runs, such as `env`. It must turn into the process of `hearth`.
    func begin(_ arguments: [String], under wrapper: [String] = []) throws -> Command {
        let number = count.withLock {
            $0 += 1
            return $0
        }
        let (output, errors) = ("\(folder)/\(number).out", "\(folder)/\(number).err")
        let process = try ChildProcess(
            arguments, home: home, output: output, errors: errors, under: entry.withLock { $0 } + wrapper)
        return Command(process: process, output: output, errors: errors)
    }

    /// The status of the only profile.
    func profile() async throws -> JSONValue {
        let status = try await ask("status", "--json").json()
        guard case .array(let profiles)? = status["profiles"], let first = profiles.first else {
            throw Failure("no profile on \(name): \(status)")
        }
        return first
    }

    /// Whether a merge has come in that waits until the game has ended.
    func hasPending() async throws -> Bool {
        try await poll { try await profile()["pending"] == .bool(true) ? true : nil } == true
    }
}

extension JSONValue {
    /// The text of a string or number, as written.
    var text: String? {
        switch self {
        case .string(let string): string.string
        case .number(let number): number.text
        default: nil
        }
    }

    var int: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(number.text)
    }

    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
