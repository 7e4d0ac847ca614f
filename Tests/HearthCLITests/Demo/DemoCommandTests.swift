import Libc
import LosslessJSON
import TestSupport
import Testing

/// `hearth demo`, run as a process: two agents, mDNS on the loopback interface, two files.
@Suite(.serialized, .enabled(if: Command.isBuilt && hasEmbeddedDiscovery, "needs the built hearth and libavahi-core"))
struct DemoCommandTests {
    private let folder = Folder()

    private func events(_ outcome: Command.Outcome) throws -> [JSONValue] {
        try outcome.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    }

    @Test(.timeLimit(.minutes(20))) func bothFilesAreRight_andNothingStays() throws {
        let outcome = try Command.run("demo", "--json", in: folder)
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        let events = try events(outcome)
        let names = events.compactMap { $0["event"] }
        #expect(
            names == [
                "demo", "ready", "ready", "code", "paired", "shared", "apart", "played", "ready", "ready", "done",
            ]
        )
        let done = try #require(events.last)
        #expect(done["converged"] == true)
        guard case .array(let files)? = done["files"] else { return #expect(Bool(false), "no files are told") }
        #expect(files.map { $0["right"] } == [true, true])
        #expect(files.map { $0["save"]?["coins"] } == [270, 270])
        try expectGone(events)
    }

    /// Ctrl-C in the middle of the demo: everything it started is removed.
    @Test(.timeLimit(.minutes(20)), arguments: [SIGINT, SIGTERM]) func interrupted(_ signal: Int32) throws {
        let (output, errors) = (folder.path("out"), folder.path("err"))
        folder.write("", "in")
        let child = try Command.start(
            ["demo", "--json"],
            in: folder,
            input: folder.path("in"),
            output: output,
            errors: errors
        )
        var lines: [Substring] = []
        for _ in 0..<4_000 where lines.count < 3 {
            usleep(5_000)
            lines = Disk.text(output).split(separator: "\n")
        }
        #expect(lines.count >= 3, "the agents were never ready")
        child.signal(signal)
        #expect(child.waitForEnd() == 1)
        let text = Disk.text(output)
        let events = try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(events.last?["converged"] == false)
        try expectGone(events)
    }

    /// Even after SIGKILL no agent is left, only the folder.
    @Test(.timeLimit(.minutes(20))) func killed() throws {
        let output = folder.path("out")
        folder.write("", "in")
        let child = try Command.start(
            ["demo", "--json"],
            in: folder,
            input: folder.path("in"),
            output: output,
            errors: folder.path("err")
        )
        var lines: [Substring] = []
        for _ in 0..<4_000 where lines.count < 3 {
            usleep(5_000)
            lines = Disk.text(output).split(separator: "\n")
        }
        child.kill()
        let events = try lines.map { try JSONValue(parsing: Array($0.utf8)) }
        try expectEnded(events)
    }

    private func expectGone(_ events: [JSONValue]) throws {
        guard case .string(let path)? = events.first?["folder"] else {
            return #expect(Bool(false), "no folder is told")
        }
        #expect(access(path.string, F_OK) != 0, "\(path.string) is still there")
        try expectEnded(events)
    }

    /// Every agent that the demo reported has ended within ten seconds.
    private func expectEnded(_ events: [JSONValue]) throws {
        for event in events {
            guard case .number(let number)? = event["process"], let id = Int32(number.text) else { continue }
            for _ in 0..<1_000 where kill(id, 0) == 0 { usleep(10_000) }
            #expect(kill(id, 0) != 0, "process \(id) is still there")
        }
    }
}

/// Whether the embedded mDNS responder can be loaded.
private let hasEmbeddedDiscovery: Bool = {
    #if canImport(Darwin)
        return true
    #else
        guard let handle = dlopen("libavahi-core.so.7", RTLD_LAZY) else { return false }
        dlclose(handle)
        return true
    #endif
}()
