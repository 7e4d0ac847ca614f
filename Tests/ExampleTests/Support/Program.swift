import Libc
import Synchronization
import TestSupport

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

    private let process: ChildProcess
    private let outputPath: String
    private let errorsPath: String

    /// - Parameters:
    ///   - name: The name of a product that was built with the tests.
    ///   - folder: The folder for its input and output.
    ///   - input: Its standard input.
    init(_ name: String, _ words: [String], in folder: String, input: String = "") throws {
        let stem = "\(folder)/\(name)-\(UInt32.random(in: 0 ... .max))"
        (outputPath, errorsPath) = (stem + ".out", stem + ".err")
        try Disk.write(input, to: stem + ".in")
        guard let path = BuiltProgram.path(name) else { throw Failure("\(name) was not built beside the tests") }
        process = try ChildProcess(
            path, words, environment: ["HOME=\(folder)", "TZ=UTC", "PATH=/usr/bin:/bin"], input: .file(stem + ".in"),
            output: .file(outputPath), errors: .file(errorsPath))
    }

    /// The output so far.
    var output: String { Disk.text(outputPath) }

    func signal(_ number: Int32) { process.signal(number) }

    /// Sends SIGKILL and waits until the program has ended.
    func kill() { process.kill() }

    /// Waits for the end; a program that takes too long fails the test.
    func outcome(within limit: Duration = .seconds(30)) async throws -> Outcome {
        guard await eventually(limit, { self.process.exitCode() != nil }), let code = process.exitCode() else {
            throw Failure("a program did not end: \(output)")
        }
        return Outcome(code: code, output: output, errors: Disk.text(errorsPath))
    }
}
