import Dispatch
import Libc
import TestSupport
import Testing

/// A child process: a game (`SaveDriver`) or an agent (`hearth`), both built beside the tests.
final class ChildGame: Sendable {
    private let process: ChildProcess
    private let output: Int32

    convenience init(_ arguments: [String]) throws { try self.init("SaveDriver", arguments) }

    init(_ name: String, _ arguments: [String]) throws {
        let program = try #require(BuiltProgram.path(name), "\(name) was not built beside the tests")
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        // Only the copy that becomes its standard output is inherited.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        output = ends[0]
        process = try ChildProcess(program, arguments, input: .inherited, output: .descriptor(ends[1]))
    }

    deinit {
        process.kill()
        close(output)
    }

    /// The next line of its output; `nil` at the end.
    func line() async -> String? { await aside { [output] in Self.line(output) } }

    /// Runs a blocking call on a thread outside Swift's pool.
    private func aside<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    private static func line(_ output: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    func signal(_ number: Int32) { process.signal(number) }
    func stop() { process.stop() }

    /// How the process ended: with an exit code, or by a signal.
    func end() async -> (code: Int32?, signal: Int32?) {
        let code = await aside { [process] in process.waitForEnd() }
        return code >= 0 ? (code, nil) : (nil, -code)
    }
}
