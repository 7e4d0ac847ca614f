import Libc
import TestSupport

extension ChildProcess {
    /// Runs the built `hearth` or another program.
    ///
    /// - Parameters:
    ///   - output: The file for standard output, emptied first.
    ///   - errors: The file to which standard error is appended.
    ///   - wrapper: A command that runs the program, such as `strace`, searched for in PATH.
    ///   - program: The program to run instead of `hearth`.
    convenience init(
        _ arguments: [String], home: String, output: String, errors: String, under wrapper: [String] = [],
        program: String? = nil
    ) throws {
        guard let path = program ?? BuiltProgram.hearth else {
            throw Failure("the built hearth is not beside the tests")
        }
        try self.init(wrapper + [path] + arguments, in: home, output: output, errors: errors)
    }

    /// Runs any command; its first word is searched for in PATH.
    convenience init(_ command: [String], in home: String, output: String, errors: String) throws {
        try self.init(
            command[0], Array(command.dropFirst()),
            environment: ["HEARTH_HOME=\(home)", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=\(home)"],
            output: .file(output), errors: .appended(errors))
    }

    /// The exit code; `nil` where the process still runs at the limit.
    func end(within limit: Duration = .seconds(60)) async throws -> Int32? {
        try await poll(limit) { self.exitCode() }
    }
}
