import Libc
import LocalFiles

/// Standard output and standard error, unbuffered: what was printed is out.
enum Console {
    /// Whether results are read by a person at once.
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Columns of the terminal; `nil` where there is none.
    static var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Prints a result.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be written; a result nobody got is no success.
    static func result(_ text: String) throws(CommandFailure) { try result(Array(text.utf8)) }

    static func result(_ bytes: [UInt8]) throws(CommandFailure) {
        guard write(bytes, to: STDOUT_FILENO) else {
            throw CommandFailure(
                "the result cannot be written to standard output: \(String(cString: strerror(errno)))",
                "make room, or send it elsewhere"
            )
        }
    }

    /// Prints a line that is no result: a failure, a warning, progress.
    static func note(_ line: String) { _ = write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Prints a question and stays on its line.
    static func prompt(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// What is being waited for, on a line of its own of a terminal; `nil` takes it away again.
    static func progress(_ text: String?) {
        guard isatty(STDERR_FILENO) == 1, Environment["TERM"] != "dumb" else { return }
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
