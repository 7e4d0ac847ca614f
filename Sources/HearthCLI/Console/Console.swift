import Libc
import LocalFiles

/// Standard output and standard error, unbuffered: a line is out when the call returns.
enum Console {
    /// Whether standard output is a terminal, which a person reads.
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// The number of columns of the terminal; `nil` where there is none.
    static var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Prints a result to standard output.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be written: a command whose result is lost has not succeeded.
    static func result(_ text: String) throws(CommandFailure) { try result(Array(text.utf8)) }

    static func result(_ bytes: [UInt8]) throws(CommandFailure) {
        guard write(bytes, to: STDOUT_FILENO) else {
            throw CommandFailure(
                "the result cannot be written to standard output: \(String(cString: strerror(errno)))",
                "make room, or send it elsewhere"
            )
        }
    }

    /// Prints a line to standard error: a failure, a warning, a note.
    static func note(_ line: String) { _ = write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Prints a line of JSON to standard error, where standard output is somebody else's.
    static func note(json line: [UInt8]) { _ = write(line, to: STDERR_FILENO) }

    /// Prints a question without a line end.
    static func prompt(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Whether standard error is a terminal that can write a line anew.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 && Environment["TERM"] != "dumb" }

    /// Shows what the command is waiting for, on the current line of the terminal; `nil` removes it.
    static func progress(_ text: String?) {
        guard showsProgress else { return }
        prompt("\r\u{1B}[K" + (text ?? ""))
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, 1_000)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
