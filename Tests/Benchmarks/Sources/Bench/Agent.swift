import Foundation

/// One real agent as a process, with a home and a folder for saves of its own.
final class Agent {
    let folder: String
    let home: String
    let hearth: String
    private(set) var port: UInt16 = 0
    private let process = Process()
    private let input = Pipe()

    /// Starts it and waits until it is ready. It ends when this program does.
    init(_ name: String, in parent: String, hearth: String) throws {
        folder = parent + "/" + name
        home = folder + "/home"
        self.hearth = hearth
        try Files.makeFolder(folder)
        try Files.makeFolder(folder + "/saves")
        try Files.write([], to: folder + "/log")
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: hearth)
        process.arguments = [
            "agent", "--json", "--until-input-ends", "--home", home, "--name", name, "--host", "127.0.0.1",
            "--discovery", "off",
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: folder + "/log")
        try process.run()
        let line = String(decoding: Self.line(output.fileHandleForReading), as: UTF8.self)
        guard let port = Self.member("port", of: line).flatMap({ UInt16($0) }) else {
            throw Trouble("agent \(name) did not start: \(line) \(Files.text(folder + "/log"))")
        }
        self.port = port
    }

    var pid: Int32 { process.processIdentifier }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs a subcommand against this agent; returns what it prints.
    @discardableResult
    func ask(_ arguments: String...) throws -> String {
        let output = Pipe()
        let command = try start(arguments, output)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        command.waitUntilExit()
        guard command.terminationStatus == 0 else {
            throw Trouble("hearth \(arguments.joined(separator: " ")): \(text)")
        }
        return text
    }

    /// Makes the two one household. `port` is where the other finds this one (a relay, maybe).
    func pair(with other: Agent, through port: UInt16) throws {
        let output = Pipe()
        let showing = try start(["pair"], output)
        let line = String(decoding: Self.line(output.fileHandleForReading), as: UTF8.self)
        guard let code = Self.code(in: line) else { throw Trouble("no pairing code was shown: \(line)") }
        try other.ask("pair", code, "--address", "127.0.0.1:\(port)")
        showing.waitUntilExit()
        guard showing.terminationStatus == 0 else { throw Trouble("the pairing failed") }
    }

    /// Removes a folder with all that agents left in it.
    static func removeAll(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }

    private func start(_ arguments: [String], _ output: Pipe) throws -> Process {
        let command = Process()
        command.executableURL = URL(fileURLWithPath: hearth)
        command.arguments = arguments + ["--json", "--home", home]
        command.standardInput = FileHandle.nullDevice
        command.standardOutput = output
        try command.run()
        return command
    }

    private static func line(_ handle: FileHandle) -> [UInt8] {
        var line: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return line
    }

    /// The digits after `"name":`.
    private static func member(_ name: String, of line: String) -> String? {
        guard let range = line.range(of: "\"\(name)\":") else { return nil }
        return String(line[range.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
    }

    private static func code(in line: String) -> String? {
        guard let range = line.range(of: "\"code\":\"", options: .backwards) else { return nil }
        return String(line[range.upperBound...].prefix { $0 != "\"" })
    }
}
