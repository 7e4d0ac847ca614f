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
        var start = ProgramStart(command)
        start.environment = Self.environment(mark)
        start.signals = ProgramStart.Signals(mask: inheritance.mask, defaults: inheritance.defaults)
        do {
            id = try Self.start(start)
        } catch {
            GameSignals.leave()
            throw Fault(
                sentence: "\(PlainText.line(command[0])) cannot be started: \(error)",
                code: error.code == ENOENT ? 127 : 126
            )
        }
        GameSignals.started(id)
    }

    private static func start(_ game: ProgramStart) throws(ProgramStart.Fault) -> pid_t {
        do {
            return try game.start()
        } catch {
            // A script without an interpreter line is run by /bin/sh, as a shell would do it. The shell gets a path, since
            // it looks for a name in the current folder first.
            guard error.code == ENOEXEC, let path = ProgramSearch.path(of: game.program, in: Environment["PATH"]) else {
                throw error
            }
            var script = game
            script.program = "/bin/sh"
            script.words = ["/bin/sh", path] + game.words.dropFirst()
            return try script.start()
        }
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
                let code = ProgramStart.exitCode(status)
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
}
