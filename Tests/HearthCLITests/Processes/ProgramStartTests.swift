import Libc
import Testing

@testable import HearthCLI

/// Programs get what they are started with, and nothing else.
@Suite struct ProgramStartTests {
    /// Runs a shell to its end.
    ///
    /// - Returns: What it printed, and its exit code.
    private func run(_ script: String, _ change: (inout ProgramStart) -> Void = { _ in }) throws -> (String, Int32) {
        let pipe = try ProgramPipe()
        defer { close(pipe.reading) }
        var start = ProgramStart(["sh", "-c", script])
        start.input = .nothing
        (start.output, start.errors) = (.descriptor(pipe.writing), .descriptor(pipe.writing))
        change(&start)
        let child = Result { try start.start() }
        close(pipe.writing)
        var (printed, part) = ([UInt8](), [UInt8](repeating: 0, count: 256))
        let id = try child.get()
        while case let count = read(pipe.reading, &part, part.count), count > 0 { printed += part[..<count] }
        return (String(decoding: printed, as: UTF8.self), ended(id))
    }

    private func ended(_ id: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return ProgramStart.exitCode(status)
    }

    @Test func itHasNoInputAndBothOutputs() throws {
        let (text, code) = try run("cat; echo out; echo errors >&2; exit 3")
        #expect(text == "out\nerrors\n" && code == 3)
    }

    @Test func whatGoesNowhereIsGone() throws {
        let (text, code) = try run("echo out; echo errors >&2") { $0.errors = .nothing }
        #expect(text == "out\n" && code == 0)
    }

    @Test func itHasTheEnvironmentThatIsSaid() throws {
        let (text, _) = try run("echo $A-$HOME") { $0.environment = ["A=b"] }
        #expect(text == "b-\n")
    }

    @Test func itIsCalledByTheNameThatIsSaid() throws {
        let (text, _) = try run("") {
            $0.program = "/bin/sh"
            $0.words = ["another", "-c", "echo $0"]
        }
        #expect(text == "another\n")
    }

    @Test func aBlockedSignalDoesNotEndIt() throws {
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        var all = sigset_t()
        sigfillset(&all)
        let script = "kill -TERM $$; echo goes on"
        #expect(try run(script) { $0.signals = .init(mask: blocked, defaults: all) } == ("goes on\n", 0))
        #expect(try run(script) { $0.signals = .init(mask: none, defaults: all) } == ("", 128 + SIGTERM))
    }

    @Test(arguments: [false, true]) func itsProcessGroupIsOurs_unlessItBeginsOne(isOwn: Bool) throws {
        let pipe = try ProgramPipe()
        var start = ProgramStart(["cat"])
        start.input = .descriptor(pipe.reading)
        start.hasOwnGroup = isOwn
        let child = Result { try start.start() }
        close(pipe.reading)
        defer { close(pipe.writing) }
        let id = try child.get()
        #expect(getpgid(id) == (isOwn ? id : getpgrp()))
        kill(id, SIGKILL)
        #expect(ended(id) == 128 + SIGKILL)
    }

    @Test func aProgramThatIsNotThereIsAFault() {
        let fault = #expect(throws: ProgramStart.Fault.self) { try ProgramStart(["no-such-program-here"]).start() }
        #expect(fault?.code == ENOENT && fault?.description.isEmpty == false)
    }
}
