import AgentRuntime
import Dispatch
import HouseholdAgent
import Libc

/// The game as a child of this process, started as our own parent would have started it: in the same process group, so
/// that keys such as Ctrl-C reach it from the terminal, with the same standard input, output, error and signal mask,
/// and with none of our descriptors.
struct GameProcess: Sendable {
    /// Why a program cannot be started, with the exit code that a shell would give.
    struct Fault: Error {
        var sentence: String
        var code: Int32
    }

    let id: pid_t

    /// - Parameters:
    ///   - command: The program, searched for in PATH, and its arguments.
    ///   - mark: Put into the game's environment, so that the game and everything it starts can be found.
    init(_ command: [String], as inheritance: Inheritance, mark: PlayMark? = nil) throws(Fault) {
        inheritance.closeAtStart()
        GameSignals.take(inheritance)
        var child = pid_t()
        let entries = Self.environment(mark)
        var status = Self.spawn(command, inheritance, entries, &child)
        // A script without an interpreter line is run by /bin/sh, as a shell would do it. The shell gets a path, since it
        // looks for a name in the current folder first.
        if status == ENOEXEC, let script = ProgramSearch.path(of: command[0], in: Environment["PATH"]) {
            status = Self.spawn(["/bin/sh", script] + command.dropFirst(), inheritance, entries, &child)
        }
        guard status == 0 else {
            GameSignals.leave()
            throw Fault(
                sentence: "\(PlainText.line(command[0])) cannot be started: \(String(cString: strerror(status)))",
                code: status == ENOENT ? 127 : 126
            )
        }
        id = child
        GameSignals.started(child)
    }

    /// Waits until the game has ended.
    ///
    /// - Returns: Its exit code, or 128 plus the number of the signal that ended it.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            let id = id
            // A blocked thread uses no processor time, so it does not slow the game down.
            DispatchQueue(label: "hearth.game").async {
                var status: Int32 = 0
                // Wait without reaping first: until the process is reaped its id cannot be reused, so no signal reaches
                // a wrong process.
                var information = siginfo_t()
                while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                GameSignals.ended(id) { while waitpid(id, &status, 0) < 0, errno == EINTR {} }
                let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
                GameSignals.over(with: code)
                continuation.resume(returning: code)
            }
        }
    }

    private static func environment(_ mark: PlayMark?) -> [String] {
        guard let mark else { return Environment.entries }
        let name = "\(PlayProcesses.variable)="
        return Environment.entries.filter { !$0.hasPrefix(name) } + [name + mark.token]
    }

    private static func spawn(
        _ command: [String], _ inheritance: Inheritance, _ entries: [String], _ child: inout pid_t
    ) -> Int32 {
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
        #else
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = inheritance.mask
        posix_spawnattr_setsigmask(&attributes, &mask)
        var defaults = inheritance.defaults
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var argv = command.map { strdup($0) } + [nil]
        var environment = entries.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        return posix_spawnp(&child, command[0], nil, &attributes, &argv, &environment)
    }
}
