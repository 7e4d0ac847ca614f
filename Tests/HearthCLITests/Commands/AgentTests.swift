import Libc
import LosslessJSON
import TestSupport
import Testing

/// `hearth agent` and the commands that talk to it, run as processes on the loopback interface.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct AgentTests {
    private let folder = Folder()

    /// Starts an agent that listens only on loopback, without discovery.
    private func start(_ more: String..., input: String = "/dev/zero") throws -> ChildProcess {
        let arguments = ["agent", "--json", "--host", "127.0.0.1", "--discovery", "off", "--name", "Laptop"] + more
        return try Command.start(
            arguments,
            in: folder,
            input: input,
            output: folder.path("agent.out"),
            errors: folder.path("agent.err")
        )
    }

    private func readyLine() throws -> JSONValue {
        for _ in 0..<4_000 {
            let text = Disk.read(folder.path("agent.out")) ?? []
            if text.last == UInt8(ascii: "\n") { return try JSONValue(parsing: text) }
            usleep(5_000)
        }
        Issue.record(
            "the agent was not ready: \(Disk.text(folder.path("agent.err")))"
        )
        return .null
    }

    /// The exit code; -1 where the agent did not end within a minute and was killed.
    private func end(_ agent: ChildProcess) -> Int32 {
        for _ in 0..<12_000 {
            if let code = agent.exitCode() { return code }
            usleep(5_000)
        }
        agent.kill()
        return -1
    }

    @Test(.timeLimit(.minutes(20)), arguments: [SIGTERM, SIGINT]) func readyLine_thenStopsCleanly(_ signal: Int32)
        throws
    {
        let agent = try start()
        let ready = try readyLine()
        #expect(ready["event"] == "ready" && ready["name"] == "Laptop" && ready["discovery"] == "off")
        #expect(ready["recovered"] == [])
        guard case .string(let device)? = ready["device"], case .number(let port)? = ready["port"] else {
            Issue.record("no device or port in \(ready)")
            return
        }
        #expect(!device.bytes.isEmpty && Int(port.text)! > 0)
        agent.signal(signal)
        #expect(end(agent) == 0)
    }

    @Test(.timeLimit(.minutes(20))) func secondAgentIsRefused() throws {
        let agent = try start()
        _ = try readyLine()
        let second = try Command.run("agent", in: folder)
        #expect(second.code == 1)
        #expect(second.output == "")
        #expect(second.errors.contains("pid \(agent.id)"), "\(second.errors)")
        agent.signal(SIGTERM)
        #expect(end(agent) == 0)
    }

    /// No wrong codes, and no code that is not shown: there is nobody.
    @Test(.timeLimit(.minutes(20))) func aCodeForAnAddressAtWhichNobodyIs() throws {
        let agent = try start()
        _ = try readyLine()
        let paired = try Command.run("pair", "K7QM-2XWD-9TRB-H4FG", "--address", "127.0.0.1:1", in: folder)
        #expect(paired.code == 1)
        #expect(paired.errors.contains("nobody answers at that address (nothing listens there)"), "\(paired.errors)")
        #expect(paired.errors.contains("hearth agent") && !paired.errors.contains("wrong codes"), "\(paired.errors)")
        agent.signal(SIGTERM)
        #expect(end(agent) == 0)
    }

    /// Nobody tells the agent of it: it looks.
    @Test(.timeLimit(.minutes(20))) func aHomeThatWasMovedEndsTheAgent() throws {
        let agent = try start()
        _ = try readyLine()
        #expect(rename(folder.path("home"), folder.path("elsewhere")) == 0)
        #expect(end(agent) == 0)
        let said = Disk.text(folder.path("agent.err"))
        #expect(said.contains("\(folder.path("home")) was deleted or moved"), "\(said)")
        #expect(Disk.read(folder.path("home/hearth.sqlite")) == nil, "nothing began there anew")
    }

    /// The agent ends when the pipe at its input is closed.
    @Test(.timeLimit(.minutes(20))) func untilInputEnds() throws {
        mkfifo(folder.path("input"), 0o600)
        let writer = open(folder.path("input"), O_RDWR | O_CLOEXEC)
        let agent = try start("--until-input-ends", input: folder.path("input"))
        _ = try readyLine()
        close(writer)
        #expect(end(agent) == 0)
    }

    /// Commands give the same answers with and without an agent.
    @Test(.timeLimit(.minutes(20)), arguments: [true, false]) func aSaveFromAddToRemove(_ runsAgent: Bool) throws {
        let agent = runsAgent ? try start() : nil
        if runsAgent { _ = try readyLine() }
        let save = folder.write("{\"coins\": 100, \"name\": \"\u{9B}2J\"}", "save.json")
        let rules = folder.write("profile: RPG\nrules: {/coins: counter}\n", "rules.yaml")
        let added = try Command.run("add", save, "--rules", rules, in: folder)
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.contains("RPG is kept in step"))
        #expect(try Command.run("show", "RPG", "/coins", in: folder).output == "100\n")
        #expect(try Command.run("show", "RPG", "/nothing", in: folder).code == 1)
        #expect(try Command.run("show", "RPG", "coins", in: folder).code == 2)
        let status = try Command.run("status", in: folder)
        #expect(status.code == 0)
        #expect(status.output.contains("RPG") && status.output.contains("no agent is running") != runsAgent)
        let shown = try JSONValue(parsing: Array(Command.run("status", "--json", in: folder).output.utf8))
        #expect(shown["device"]?["connected"] == .bool(runsAgent))
        let troubles = try #require(shown["troubles"]).jsonBytes
        #expect(String(decoding: troubles, as: UTF8.self).contains("no agent is running") != runsAgent)
        let devices = try JSONValue(parsing: Array(Command.run("devices", "--json", in: folder).output.utf8))
        #expect(devices["event"] == "devices")
        let sync = try Command.run("sync", in: folder)
        #expect(sync.code == (runsAgent ? 1 : 4), "alone there is nobody to be in step with")
        #expect(try Command.run("remove", "RPG", in: folder).code == 0)
        #expect(try Command.run("remove", "nobody", in: folder).code == 1)
        #expect(Disk.text(save).contains("100"))
        if let agent {
            agent.signal(SIGTERM)
            #expect(end(agent) == 0)
        }
    }
}
