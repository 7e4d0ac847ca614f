import Libc
import LocalFiles
import LosslessJSON

/// The temporary folder of the demo, and the agents in it. ``clear(keeping:)`` removes both, whatever has happened.
actor DemoStage {
    nonisolated let folder: String
    nonisolated let laptop: DemoMachine
    nonisolated let desktop: DemoMachine
    private var agents: [DemoStory.Machine: ChildProcess] = [:]

    /// How many seconds an agent may take until it is ready.
    static let startLimit = 30
    /// How many seconds an agent may take to stop.
    static let stopLimit = 10

    init() throws(CommandFailure) {
        let parent = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array(FilePath.absolute(parent + "/hearth-demo-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                "no folder can be made in \(parent): \(String(cString: strerror(errno)))",
                "name another one in TMPDIR"
            )
        }
        folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        laptop = DemoMachine(.laptop, in: folder)
        desktop = DemoMachine(.desktop, in: folder)
        mkdir(laptop.folder, 0o700)
        mkdir(desktop.folder, 0o700)
    }

    /// Starts a machine's agent, waits for its ready line and returns it.
    func start(_ machine: DemoMachine) async throws -> JSONValue {
        let agent = try ChildProcess(arguments: machine.agentArguments, log: machine.log)
        agents[machine.machine] = agent
        var line: [UInt8] = []
        let end = ContinuousClock.now + .seconds(Self.startLimit)
        while line.last != UInt8(ascii: "\n") {
            guard let more = agent.printed() else { throw ended(machine) }
            line += more
            guard line.count <= 1 << 16, ContinuousClock.now < end else {
                throw CommandFailure(
                    "\(machine.name)'s agent was not ready after \(Self.startLimit) seconds",
                    Self.lookAt(machine)
                )
            }
            if more.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        }
        do {
            return try JSONValue(parsing: line)
        } catch {
            throw CommandFailure("\(machine.name)'s agent said something unreadable: \(error)", Self.lookAt(machine))
        }
    }

    /// The process id of a machine's running agent.
    func process(_ machine: DemoMachine) -> Int32? { agents[machine.machine]?.id }

    /// Stops a machine's agent as a person would (SIGTERM), and waits until it has ended.
    func stop(_ machine: DemoMachine) async throws {
        guard let agent = agents[machine.machine] else { return }
        agent.signal(SIGTERM)
        guard await hasEnded(agent, within: Self.stopLimit) else {
            throw CommandFailure(
                "\(machine.name)'s agent did not stop within \(Self.stopLimit) seconds",
                Self.lookAt(machine)
            )
        }
        forget(machine.machine)
    }

    /// Stops the agents that still run and removes the folder. Never fails, and takes at most 10 seconds for each
    /// agent.
    func clear(keeping: Bool) async {
        for agent in agents.values { agent.signal(SIGTERM) }
        for (machine, agent) in agents {
            if await !hasEnded(agent, within: Self.stopLimit / 2) {
                agent.signal(SIGKILL)
                _ = await hasEnded(agent, within: Self.stopLimit / 2)
            }
            forget(machine)
        }
        if !keeping, !FolderRemoval.remove(folder) {
            Console.note("note: \(folder) could not be removed completely; remove it by hand")
        }
    }

    private func forget(_ machine: DemoStory.Machine) { agents.removeValue(forKey: machine)?.closePipes() }

    private func hasEnded(_ agent: ChildProcess, within seconds: Int) async -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while !agent.hasEnded() {
            guard ContinuousClock.now < end else { return false }
            // In a cancelled task the sleep returns at once; `usleep` keeps this from becoming a busy loop.
            if (try? await Task.sleep(for: .milliseconds(5))) == nil { usleep(5_000) }
        }
        return true
    }

    private func ended(_ machine: DemoMachine) -> CommandFailure {
        CommandFailure(
            "\(machine.name)'s agent ended before it was ready\(machine.lastLogLine.map { ": \($0)" } ?? "")",
            Self.lookAt(machine)
        )
    }

    private static func lookAt(_ machine: DemoMachine) -> String {
        "run 'hearth demo --keep' and look at the agent's log, \(machine.machine.folder)/agent.log in the folder it "
            + "names"
    }
}
