import AgentRuntime
import Dispatch
import HouseholdAgent
import Libc

/// The game as a child of this process, as its parent would have started it: in the same process group, so that the
/// terminal's keys reach it as they would without Hearth, with the same standard input, output and error, the same
/// signal mask, and no descriptor of ours.
struct GameProcess: Sendable {
    /// Why a program cannot be started, and the exit code that shells have for it.
    struct Fault: Error {
        var sentence: String
        var code: Int32
    }

    let id: pid_t

    /// - Parameters:
    ///   - command: The program, looked for in PATH, and its arguments.
    ///   - mark: What its environment says, so that it and all it starts can be found.
    init(_ command: [String], as inheritance: Inheritance, mark: PlayMark? = nil) throws(Fault) {
        inheritance.closeAtStart()
        GameSignals.take(inheritance)
        var child = pid_t()
        let entries = Self.environment(mark)
        var status = Self.spawn(command, inheritance, entries, &child)
        // A script without a first line that names its interpreter is the shell's, as everywhere.
        if status == ENOEXEC { status = Self.spawn(["/bin/sh"] + command, inheritance, entries, &child) }
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

    /// Waits for its end.
    ///
    /// - Returns: Its exit code; 128 and the number of the signal that ended it.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            let id = id
            // A thread that sleeps in the kernel costs a game nothing.
            DispatchQueue(label: "hearth.game").async {
                var status: Int32 = 0
                // First without taking the result, so that no signal is ever sent to another process of its number.
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
