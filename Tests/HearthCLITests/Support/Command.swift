import Libc
import TestSupport
import Testing

/// Runs the built `hearth` beside the tests.
enum Command {
    struct Outcome {
        /// The exit code, or minus the number of the signal that ended it.
        var code: Int32
        var output: String
        var errors: String
    }

    static let isBuilt = BuiltProgram.hearth != nil

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

    /// - Parameter program: A program to run instead of `hearth`, and its additional environment variables, which count
    ///   before those that every command has.
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
        for _ in 0..<12_000 where child.exitCode() == nil { usleep(5_000) }
        if child.exitCode() == nil {
            Issue.record("\(program?.path ?? "hearth") \(arguments) did not end within a minute")
            child.kill()
        }
        return Outcome(
            code: child.waitForEnd(), output: output == nil ? Disk.text(outputPath) : "", errors: Disk.text(errorPath))
    }

    /// Starts a command, which is killed at the latest when what this returns is released.
    static func start(
        _ arguments: [String],
        in folder: Folder,
        input: String,
        output: String,
        errors: String,
        program: (path: String, variables: [String])? = nil
    ) throws -> ChildProcess {
        let path = try #require(program?.path ?? BuiltProgram.hearth, "the built hearth is not beside the tests")
        let variables = [
            "HEARTH_HOME=\(folder.path("home"))", "TMPDIR=\(folder.path)", "PATH=/usr/bin:/bin", "HOME=\(folder.path)",
        ]
        return try ChildProcess(
            path, arguments, as: program?.path ?? "hearth", environment: (program?.variables ?? []) + variables,
            input: .file(input), output: .file(output), errors: .file(errors))
    }
}
