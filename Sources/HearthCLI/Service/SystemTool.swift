import Libc
import LocalFiles

/// A program of the system that manages services, run to its end.
enum SystemTool {
    struct Outcome {
        /// Its exit code, or 128 plus the number of the signal that ended it.
        var code: Int32
        /// What it printed to standard output and standard error, at most 64 KiB.
        var text: String
    }

    private static let limit = 1 << 16

    /// Runs a program that is looked for in PATH. It gets no input.
    static func run(_ words: [String]) throws(CommandFailure) -> Outcome {
        do throws(ProgramStart.Fault) {
            let pipe = try ProgramPipe()
            defer { close(pipe.reading) }
            let child = try start(words, pipe.writing)
            let printed = readAll(pipe.reading)
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            return Outcome(code: ProgramStart.exitCode(status), text: String(decoding: printed, as: UTF8.self))
        } catch {
            throw CommandFailure(
                "\(words[0]) cannot be started: \(error)",
                "this machine starts the agent in another way, if at all; what it has to run is: hearth agent")
        }
    }

    /// - Parameter output: The writing end of a pipe, which the program alone has afterwards.
    private static func start(_ words: [String], _ output: Int32) throws(ProgramStart.Fault) -> pid_t {
        defer { close(output) }
        var start = ProgramStart(words)
        start.input = .nothing
        (start.output, start.errors) = (.descriptor(output), .descriptor(output))
        return try start.start()
    }

    /// Reads to the end, so that the program never waits for a reader, and keeps what the limit allows.
    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = systemRead(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return result }
            result += part[..<count].prefix(limit - result.count)
        }
    }
}
