import Libc
import LocalFiles

/// A process of this same program, started with other arguments.
///
/// Its standard input is a pipe that this process holds open: with `--until-input-ends` it stops when this process
/// ends, even by SIGKILL. It is in its own process group, so Ctrl-C reaches only the parent, which then stops it
/// properly.
struct ChildProcess: Sendable {
    let id: pid_t
    private let input: Int32
    private let output: Int32

    /// - Parameter log: The file that gets its standard error.
    init(arguments: [String], log: String) throws(CommandFailure) {
        let pipes: (input: ProgramPipe, output: ProgramPipe)
        do {
            pipes = (try ProgramPipe(), try ProgramPipe())
        } catch {
            throw CommandFailure("no pipe can be made: \(error)", "close other programs and try again")
        }
        defer {
            close(pipes.input.reading)
            close(pipes.output.writing)
        }
        let errors = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { if errors >= 0 { close(errors) } }
        var start = ProgramStart(["hearth"] + arguments, at: Self.executable)
        start.input = .descriptor(pipes.input.reading)
        start.output = .descriptor(pipes.output.writing)
        start.errors = errors >= 0 ? .descriptor(errors) : .inherited
        start.signals = Self.usualSignals
        start.hasOwnGroup = true
        do {
            id = try start.start()
        } catch {
            close(pipes.input.writing)
            close(pipes.output.reading)
            throw CommandFailure("a second hearth cannot be started: \(error)", "close other programs and try again")
        }
        (input, output) = (pipes.input.writing, pipes.output.reading)
        _ = fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK)
    }

    /// The next bytes of its standard output: `nil` at the end, empty where there are none at the moment.
    func printed() -> [UInt8]? {
        var part = [UInt8](repeating: 0, count: 4_096)
        let count = systemRead(output, &part, part.count)
        if count == 0 { return nil }
        return count < 0 ? [] : Array(part[..<count])
    }

    func signal(_ number: Int32) { kill(id, number) }

    /// Whether it has ended. Afterwards its id is free and may belong to another process.
    func hasEnded() -> Bool {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG) != 0
    }

    /// Closes the pipes. Call it only after the process has ended.
    func closePipes() {
        close(input)
        close(output)
    }

    /// No signal blocked, and none of those that this process handles or ignores ignored: the child would inherit
    /// "ignored".
    private static var usualSignals: ProgramStart.Signals {
        var none = sigset_t()
        sigemptyset(&none)
        var defaults = none
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
        return ProgramStart.Signals(mask: none, defaults: defaults)
    }

    /// The path of this program. On Linux it stays valid even if the file is replaced meanwhile.
    private static var executable: String {
        #if canImport(Darwin)
            var size = UInt32(4_096)
            var buffer = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&buffer, &size) == 0 else { return CommandLine.arguments[0] }
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
            return "/proc/self/exe"
        #endif
    }
}
