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
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let isMade = Darwin.pipe(&ends) == 0
        #else
            let isMade = Glibc.pipe(&ends) == 0
        #endif
        guard isMade else { throw fault(words[0], errno) }
        defer { close(ends[0]) }
        // The program must not hold the reading end, nor a second writing one.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var child = pid_t()
        let status = spawn(words, output: ends[1], &child)
        close(ends[1])
        guard status == 0 else { throw fault(words[0], status) }
        let printed = readAll(ends[0])
        var end: Int32 = 0
        while waitpid(child, &end, 0) < 0, errno == EINTR {}
        let code = end & 0x7F == 0 ? (end >> 8) & 0xFF : 128 + (end & 0x7F)
        return Outcome(code: code, text: String(decoding: printed, as: UTF8.self))
    }

    private static func fault(_ program: String, _ code: Int32) -> CommandFailure {
        CommandFailure(
            "\(program) cannot be started: \(String(cString: strerror(code)))",
            "this machine starts the agent in another way, if at all; what it has to run is: hearth agent")
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

    /// - Returns: 0, or an errno value.
    private static func spawn(_ words: [String], output: Int32, _ child: inout pid_t) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        var argv = words.map { strdup($0) } + [nil]
        var environment = Environment.entries.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        return posix_spawnp(&child, words[0], &actions, nil, &argv, &environment)
    }
}
