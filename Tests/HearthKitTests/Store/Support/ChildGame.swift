import Dispatch
import Libc
import Testing

/// A child process: a game (`SaveDriver`) or an agent (`hearth`), both built beside the tests.
final class ChildGame: Sendable {
    private let process: pid_t
    private let output: Int32

    convenience init(_ arguments: [String]) throws { try self.init("SaveDriver", arguments) }

    init(_ name: String, _ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = folder.joined(separator: "/") + "/" + name
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // The tests may have been started with signals ignored, like a shell's background job; a game must start with
        // the defaults.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var child: pid_t = 0
        let code = posix_spawn(&child, program, &actions, &attributes, &words, environ)
        close(ends[1])
        (process, output) = (child, ends[0])
        guard code == 0 else { throw Failure("\(program) cannot be started: \(code)") }
    }

    deinit {
        kill(process, SIGKILL)
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

    func signal(_ number: Int32) { kill(process, number) }

    /// How the process ended: with an exit code, or by a signal.
    func end() async -> (code: Int32?, signal: Int32?) {
        await aside { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            let number = status & 0x7F
            return number == 0 ? (status >> 8 & 0xFF, nil) : (nil, number)
        }
    }
}
