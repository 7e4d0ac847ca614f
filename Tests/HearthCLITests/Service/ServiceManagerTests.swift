import Libc
import TestSupport
import Testing

/// What a service manager such as systemd hears and reads of `hearth agent`.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct ServiceManagerTests {
    private let folder = Folder()

    private func start(_ variables: [String]) throws -> ChildProcess {
        try Command.start(
            ["agent", "--host", "127.0.0.1", "--discovery", "off"], in: folder, input: "/dev/null",
            output: folder.path("agent.out"), errors: folder.path("agent.err"),
            program: (try #require(BuiltProgram.hearth), variables))
    }

    /// A socket is a file, or on Linux a name that is none.
    static let sockets: [String?] = {
        #if os(Linux)
            [nil, "@hearth-test-\(getpid())"]
        #else
            [nil]
        #endif
    }()

    @Test(.timeLimit(.minutes(20)), arguments: sockets) func readyAliveStopping(_ name: String?) throws {
        let socket = try NotifySocket(name ?? folder.path("notify"))
        let agent = try start(["NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=100000"])
        #expect(socket.words(until: "READY=1").last == "READY=1", "\(Disk.text(folder.path("agent.err")))")
        // The word stands for something: a command reaches the agent.
        #expect(try Command.run("devices", in: folder).code == 0)
        for _ in 0..<3 { #expect(socket.next() == "WATCHDOG=1") }
        agent.signal(SIGTERM)
        let rest = socket.words(until: "STOPPING=1")
        #expect(rest.last == "STOPPING=1" && rest.dropLast().allSatisfy { $0 == "WATCHDOG=1" }, "\(rest)")
        #expect(agent.waitForEnd() == 0)
    }

    /// Without WATCHDOG_USEC, and where another process is watched, nothing is said but the beginning and the end.
    @Test(.timeLimit(.minutes(20)), arguments: [[], ["WATCHDOG_USEC=1000", "WATCHDOG_PID=1"]])
    func unwatched(_ variables: [String]) throws {
        let socket = try NotifySocket(folder.path("notify"))
        let agent = try start(["NOTIFY_SOCKET=\(socket.name)"] + variables)
        #expect(socket.next() == "READY=1")
        agent.signal(SIGTERM)
        #expect(socket.next() == "STOPPING=1")
        #expect(agent.waitForEnd() == 0)
    }

    /// A manager that is gone, or was never there, stops no agent.
    @Test(.timeLimit(.minutes(20)), arguments: ["/nonexistent/notify", "notify", "@", ""])
    func badSocket(_ name: String) async throws {
        let agent = try start(["NOTIFY_SOCKET=\(name)", "WATCHDOG_USEC=1000"])
        let ready = folder.path("agent.out")
        #expect(await eventually { Disk.text(ready).contains("is ready") })
        agent.signal(SIGTERM)
        #expect(agent.waitForEnd() == 0)
    }

    /// The journal gets each message with its level, and without a time of its own.
    @Test(.timeLimit(.minutes(20))) func journalLines() async throws {
        let log = folder.write("", "agent.err")
        var status = stat()
        #expect(stat(log, &status) == 0)
        let agent = try start(["JOURNAL_STREAM=\(status.st_dev):\(status.st_ino)"])
        let ready = folder.path("agent.out")
        #expect(await eventually { Disk.text(ready).contains("is ready") })
        agent.signal(SIGHUP)
        #expect(await eventually { Disk.text(log).contains("<5>the configuration was read anew\n") })
        agent.signal(SIGTERM)
        #expect(agent.waitForEnd() == 0)
        let lines = Disk.text(log).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("<") && $0.dropFirst(2).hasPrefix(">") }, "\(lines)")
    }
}
