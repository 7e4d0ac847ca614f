import Libc
import Synchronization

/// A running `hearth` or another program. It is killed at the latest when this object is released.
final class HearthProcess: Sendable {
    let id: pid_t
    private let status = Mutex<Int32?>(nil)

    /// The built `hearth` beside the tests.
    static let executable = built("hearth")

    static let isBuilt = executable != nil

    /// The path of a program that was built with the tests.
    static func built(_ name: String) -> String? {
        #if canImport(Darwin)
            guard let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") }) else { return nil }
            let folder = bundle.prefix(upTo: bundle.range(of: ".xctest")!.lowerBound).split(separator: "/").dropLast()
            let path = "/" + folder.joined(separator: "/") + "/" + name
        #else
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { return nil }
            let tests = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let path = tests.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
        #endif
        return access(path, X_OK) == 0 ? path : nil
    }

    /// - Parameters:
    ///   - output: The file for standard output, emptied first.
    ///   - errors: The file to which standard error is appended.
    ///   - wrapper: A command that runs the program, such as `strace`, searched for in PATH.
    ///   - program: The program to run instead of `hearth`.
    convenience init(
        _ arguments: [String], home: String, output: String, errors: String, under wrapper: [String] = [],
        program: String? = nil
    ) throws {
        guard let path = program ?? Self.executable else { throw Trouble("the built hearth is not beside the tests") }
        try self.init(wrapper + [path] + arguments, in: home, output: output, errors: errors)
    }

    /// Runs any command; its first word is searched for in PATH.
    init(_ command: [String], in home: String, output: String, errors: String) throws {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        // Threads of the tests may block signals, and a shell's background job ignores some; the child must not inherit
        // that.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var argv = command.map { strdup($0) } + [nil]
        let variables: [String] = ["HEARTH_HOME=\(home)", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=\(home)"]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, command[0], &actions, &attributes, &argv, &environment)
        guard failure == 0 else {
            throw Trouble("\(command[0]) cannot be started: \(String(cString: strerror(failure)))")
        }
        id = child
    }

    deinit { kill() }

    /// Sends a signal, unless the process has ended.
    func signal(_ number: Int32) { status.withLock { if $0 == nil { _ = sendSignal(id, number) } } }

    /// Sends SIGKILL and waits until the process has ended.
    func kill() {
        status.withLock { status in
            guard status == nil else { return }
            _ = sendSignal(id, SIGKILL)
            var raw: Int32 = 0
            waitpid(id, &raw, 0)
            status = Self.code(raw)
        }
    }

    /// The exit code, or minus the number of the signal that ended it; `nil` while it runs.
    func exitCode() -> Int32? {
        status.withLock { status in
            if status != nil { return status }
            var raw: Int32 = 0
            if waitpid(id, &raw, WNOHANG) == id { status = Self.code(raw) }
            return status
        }
    }

    /// The exit code; `nil` where the process still runs at the limit.
    func end(within limit: Duration) async throws -> Int32? {
        try await poll(limit) { self.exitCode() }
    }

    private static func code(_ raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F) }
}

private func sendSignal(_ id: pid_t, _ number: Int32) -> Int32 { kill(id, number) }

/// Why a test cannot go on.
struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Calls `look` every five milliseconds until it finds something; `nil` at the limit.
func poll<Found>(_ limit: Duration, _ look: () async throws -> Found?) async throws -> Found? {
    let end = ContinuousClock.now + limit
    while true {
        if let found = try await look() { return found }
        guard ContinuousClock.now < end else { return nil }
        try await Task.sleep(for: .milliseconds(5))
    }
}
