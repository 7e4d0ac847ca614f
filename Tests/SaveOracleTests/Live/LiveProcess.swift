import Libc
import TestSupport

/// A running `hearth`. It is gone when this object is.
final class LiveProcess {
    private let process: ChildProcess
    /// The end of the pipe that its standard input is; -1 where that is none.
    private let input: Int32

    /// - Parameter isTied: Whether its standard input lasts as long as this process does, whatever ends that.
    init(_ arguments: [String], home: String, output: String, errors: String, isTied: Bool = false) throws {
        guard let program = BuiltProgram.hearth else { throw Failure("the built hearth is not beside the tests") }
        var ends: [Int32] = [-1, -1]
        if isTied, pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        defer { if ends[0] >= 0 { close(ends[0]) } }
        input = ends[1]
        do {
            process = try ChildProcess(
                program, arguments, as: "hearth",
                environment: ["HEARTH_HOME=\(home)", "HOME=\(home)", "PATH=/usr/bin:/bin"],
                input: ends[0] >= 0 ? .descriptor(ends[0]) : .file("/dev/null"), output: .file(output),
                errors: .appended(errors))
        } catch {
            if ends[1] >= 0 { close(ends[1]) }
            throw error
        }
    }

    deinit {
        process.kill()
        if input >= 0 { close(input) }
    }

    /// Whether it still runs. Does not wait.
    var isRunning: Bool { process.exitCode() == nil }

    /// Sends a signal, where it still runs, and waits until it is gone.
    ///
    /// - Returns: Its exit code, or minus the number of the signal that ended it.
    @discardableResult
    func end(_ number: Int32? = nil) -> Int32 {
        if let number { process.signal(number) }
        return process.waitForEnd()
    }
}

/// Looks every few milliseconds, for a bounded time.
func waitFor<Found>(seconds: Double, _ look: () throws -> Found?) rethrows -> Found? {
    var patience = Patience(.seconds(seconds))
    while true {
        if let found = try look() { return found }
        guard patience.isLeft() else { return nil }
        usleep(3_000)
    }
}

extension Disk {
    /// Empties a file and writes into it in a few pieces, as a careless game does.
    static func write(_ text: String, _ path: String, pieces: Int) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        precondition(file >= 0, "\(path) cannot be written")
        defer { close(file) }
        let bytes = Array(text.utf8)
        let size = max(1, (bytes.count + pieces - 1) / pieces)
        for start in stride(from: 0, to: bytes.count, by: size) {
            append(Array(bytes[start..<min(start + size, bytes.count)]), to: file)
            usleep(2_000)
        }
    }

    /// When a file was changed last, in milliseconds.
    static func time(_ path: String) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        #if canImport(Darwin)
            return status.st_mtimespec.tv_sec * 1_000 + status.st_mtimespec.tv_nsec / 1_000_000
        #else
            return status.st_mtim.tv_sec * 1_000 + status.st_mtim.tv_nsec / 1_000_000
        #endif
    }
}
