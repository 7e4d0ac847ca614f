import Libc
import Testing

/// Runs the built `hearth` beside the tests.
enum Command {
    struct Outcome {
        /// The exit code, or minus the number of the signal that ended it.
        var code: Int32
        var output: String
        var errors: String
    }

    static let path: String? = {
        #if canImport(Darwin)
            guard let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") }) else { return nil }
            let folder = bundle.prefix(upTo: bundle.range(of: ".xctest")!.lowerBound).split(separator: "/").dropLast()
            let path = "/" + folder.joined(separator: "/") + "/hearth"
        #else
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { return nil }
            let tests = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let path = tests.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/hearth"
        #endif
        return access(path, X_OK) == 0 ? path : nil
    }()

    static let isBuilt = path != nil

    /// Runs a command until it ends, for at most 60 seconds.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - folder: The folder for its output, and for its home where the arguments name none.
    ///   - output: The file for standard output; by default one that the outcome is read from.
    static func run(
        _ arguments: String...,
        input: [UInt8] = [],
        in folder: Folder,
        output: String? = nil
    ) throws -> Outcome {
        try run(arguments, input: input, in: folder, output: output)
    }

    /// - Parameter program: A program to run instead of `hearth`, and its additional environment variables.
    static func run(
        _ arguments: [String],
        input: [UInt8] = [],
        in folder: Folder,
        output: String? = nil,
        program: (path: String, variables: [String])? = nil
    ) throws -> Outcome {
        let number = folder.next()
        let (inputPath, errorPath) = (folder.path("\(number).in"), folder.path("\(number).err"))
        let outputPath = output ?? folder.path("\(number).out")
        folder.write(input, inputPath)
        let child = try start(
            arguments,
            in: folder,
            input: inputPath,
            output: outputPath,
            errors: errorPath,
            program: program
        )
        var status: Int32 = 0
        var ended = pid_t()
        for _ in 0..<12_000 {
            ended = waitpid(child, &status, WNOHANG)
            if ended != 0 { break }
            usleep(5_000)
        }
        if ended == 0 {
            Issue.record("\(program?.path ?? "hearth") \(arguments) did not end within a minute")
            kill(child, SIGKILL)
            waitpid(child, &status, 0)
        }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        func text(_ path: String) -> String { String(decoding: folder.read(path) ?? [], as: UTF8.self) }
        return Outcome(code: code, output: output == nil ? text(outputPath) : "", errors: text(errorPath))
    }

    /// Starts a command. The caller must wait for it.
    static func start(
        _ arguments: [String],
        in folder: Folder,
        input: String,
        output: String,
        errors: String,
        program: (path: String, variables: [String])? = nil
    ) throws -> pid_t {
        let path = try #require(program?.path ?? path, "the built hearth is not beside the tests")
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var argv = ([program?.path ?? "hearth"] + arguments).map { strdup($0) } + [nil]
        let variables: [String] = [
            "HEARTH_HOME=\(folder.path("home"))", "TMPDIR=\(folder.path)", "PATH=/usr/bin:/bin", "HOME=\(folder.path)",
        ]
        var environment = (variables + (program?.variables ?? [])).map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        var child = pid_t()
        let status = posix_spawn(&child, path, &actions, nil, &argv, &environment)
        try #require(status == 0, "\(path) cannot be started: \(status)")
        return child
    }
}
