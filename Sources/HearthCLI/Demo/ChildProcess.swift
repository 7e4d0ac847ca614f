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
        let (childInput, input) = try Self.pipe()
        let (output, childOutput) = try Self.pipe()
        defer {
            close(childInput)
            close(childOutput)
        }
        let errors = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { if errors >= 0 { close(errors) } }
        var child = pid_t()
        let status = Self.spawn(arguments, [childInput, childOutput, errors >= 0 ? errors : STDERR_FILENO], &child)
        guard status == 0 else {
            close(input)
            close(output)
            throw CommandFailure(
                "a second hearth cannot be started: \(String(cString: strerror(status)))",
                "close other programs and try again"
            )
        }
        _ = fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK)
        (id, self.input, self.output) = (child, input, output)
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

    private static func pipe() throws(CommandFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let made = Darwin.pipe(&ends) == 0
        #else
            let made = Glibc.pipe(&ends) == 0
        #endif
        // Not inherited: the other child would otherwise hold this child's input open.
        for end in ends where made { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard made else {
            throw CommandFailure(
                "no pipe can be made: \(String(cString: strerror(errno)))",
                "close other programs and try again"
            )
        }
        return (ends[0], ends[1])
    }

    /// - Parameter descriptors: The child's standard input, output and error.
    /// - Returns: 0, or an errno value.
    private static func spawn(_ arguments: [String], _ descriptors: [Int32], _ child: inout pid_t) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // Reset the signals that this process handles or ignores; the child would inherit "ignored".
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
        )
        var argv = (["hearth"] + arguments).map { strdup($0) } + [nil]
        var environment = Environment.entries.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        return posix_spawn(&child, executable, &actions, &attributes, &argv, &environment)
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
