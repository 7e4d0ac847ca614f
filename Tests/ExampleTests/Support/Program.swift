import Libc
import Synchronization

/// An example that runs as its own process. It is killed at the latest when this object is released.
final class Program: Sendable {
    /// The output of a program, and its exit code or minus the number of the signal that ended it.
    struct Outcome: Sendable, CustomStringConvertible {
        let code: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
        var description: String { "code \(code)\n\(output)\(errors)" }
    }

    let id: pid_t
    private let outputPath: String
    private let errorsPath: String
    private let status = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - name: The name of a product that was built with the tests.
    ///   - folder: The folder for its input and output.
    ///   - input: Its standard input.
    init(_ name: String, _ words: [String], in folder: String, input: String = "") throws {
        let stem = "\(folder)/\(name)-\(UInt32.random(in: 0 ... .max))"
        (outputPath, errorsPath) = (stem + ".out", stem + ".err")
        try Disk.write(input, to: stem + ".in")
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, stem + ".in", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorsPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let path = try Self.built(name)
        var argv = ([path] + words).map { strdup($0) } + [nil]
        let variables: [String] = ["HOME=\(folder)", "TZ=UTC", "PATH=/usr/bin:/bin"]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawn(&child, path, &actions, nil, &argv, &environment)
        guard failure == 0 else { throw Failure("\(name) cannot be started: \(String(cString: strerror(failure)))") }
        id = child
    }

    deinit { kill() }

    /// The output so far.
    var output: String { Disk.text(outputPath) ?? "" }

    func signal(_ number: Int32) { status.withLock { if $0 == nil { _ = send(id, number) } } }

    /// Sends SIGKILL and waits until the program has ended.
    func kill() {
        status.withLock { status in
            guard status == nil else { return }
            _ = send(id, SIGKILL)
            var raw: Int32 = 0
            waitpid(id, &raw, 0)
            status = -SIGKILL
        }
    }

    /// Waits for the end; a program that takes too long fails the test.
    func outcome(within limit: Duration = .seconds(30)) async throws -> Outcome {
        guard await eventually(limit, { self.exitCode() != nil }), let code = exitCode() else {
            throw Failure("a program did not end: \(output)")
        }
        return Outcome(code: code, output: output, errors: Disk.text(errorsPath) ?? "")
    }

    private func exitCode() -> Int32? {
        status.withLock { status in
            var raw: Int32 = 0
            if status == nil, waitpid(id, &raw, WNOHANG) == id {
                status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
            }
            return status
        }
    }

    /// The path of a program that was built with the tests.
    private static func built(_ name: String) throws -> String {
        #if canImport(Darwin)
            let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
            let folder = tests.split(separator: "/").prefix { !$0.hasSuffix(".xctest") }
        #else
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            let tests = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = tests.split(separator: "/").dropLast()
        #endif
        let path = "/" + folder.joined(separator: "/") + "/" + name
        guard access(path, X_OK) == 0 else { throw Failure("\(path) is not built") }
        return path
    }
}

private func send(_ id: pid_t, _ number: Int32) -> Int32 { kill(id, number) }
