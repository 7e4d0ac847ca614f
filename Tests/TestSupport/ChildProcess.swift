package import Libc
import Synchronization

/// A program that a test started. It is killed at the latest when this object is released.
package final class ChildProcess: Sendable {
    /// What one of the three standard streams of a program is.
    package enum Stream: Sendable {
        /// That of the tests.
        case inherited
        /// A file: read as input; emptied first as output.
        case file(String)
        /// A file to whose end output is written.
        case appended(String)
        /// A descriptor of the tests, such as an end of a pipe.
        case descriptor(Int32)
    }

    package let id: pid_t
    private let code = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its path, or a name that is looked for in PATH.
    ///   - arguments: Without the program's name.
    ///   - name: The name by which it is called; by default `program`.
    ///   - environment: All its environment variables, as `NAME=VALUE`; `nil` for those of the tests.
    package init(
        _ program: String, _ arguments: [String], as name: String? = nil, environment: [String]? = nil,
        input: Stream = .file("/dev/null"), output: Stream = .inherited, errors: Stream = .inherited
    ) throws {
        #if canImport(Darwin)
            var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
            var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Threads of the tests may block signals, and a shell's background job ignores some; the program inherits
        // neither.
        var (none, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&defaults)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        for (number, stream) in zip(Int32(0)..., [input, output, errors]) {
            let writing = O_WRONLY | O_CREAT
            switch stream {
            case .inherited: continue
            case .file(let path):
                let flags = number == 0 ? O_RDONLY : writing | O_TRUNC
                posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
            case .appended(let path):
                posix_spawn_file_actions_addopen(&actions, number, path, writing | O_APPEND, 0o600)
            case .descriptor(let file): posix_spawn_file_actions_adddup2(&actions, file, number)
            }
        }
        var words = ([name ?? program] + arguments).map { strdup($0) } + [nil]
        var variables = (environment ?? []).map { strdup($0) } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        let failure =
            environment == nil
            ? posix_spawnp(&child, program, &actions, &attributes, &words, environ)
            : posix_spawnp(&child, program, &actions, &attributes, &words, &variables)
        guard failure == 0 else {
            throw Failure("\(program) cannot be started: \(String(cString: strerror(failure)))")
        }
        id = child
    }

    deinit { kill() }

    /// The exit code, or minus the number of the signal that ended it; `nil` while it runs. Does not wait.
    package func exitCode() -> Int32? {
        code.withLock { code in
            var status: Int32 = 0
            if code == nil, waitpid(id, &status, WNOHANG) == id { code = Self.code(status) }
            return code
        }
    }

    /// Waits until it has ended.
    ///
    /// - Returns: Its exit code, or minus the number of the signal that ended it.
    @discardableResult
    package func waitForEnd() -> Int32 {
        code.withLock { code in
            var status: Int32 = 0
            while code == nil {
                if waitpid(id, &status, 0) == id { code = Self.code(status) } else if errno != EINTR { code = -1 }
            }
            return code ?? -1
        }
    }

    /// Sends a signal, unless it has ended.
    package func signal(_ number: Int32) {
        code.withLock { code in if code == nil { _ = send(id, number) } }
    }

    /// Sends SIGSTOP and waits until all its threads stand still. A signal alone returns earlier: a thread that runs on
    /// another processor may still answer a question.
    package func stop() {
        code.withLock { code in
            guard code == nil, send(id, SIGSTOP) == 0 else { return }
            var status: Int32 = 0
            while waitpid(id, &status, WUNTRACED) != id { if errno != EINTR { return } }
            let isStopped = status & 0xFF == 0x7F
            if !isStopped { code = Self.code(status) }
        }
    }

    /// Sends SIGKILL and waits until it has ended.
    package func kill() {
        signal(SIGKILL)
        waitForEnd()
    }

    private static func code(_ status: Int32) -> Int32 { status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F) }
}

private func send(_ id: pid_t, _ number: Int32) -> Int32 { kill(id, number) }
