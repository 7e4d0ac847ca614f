import Libc

/// The whole content of a file, read with a limit.
package struct BoundedFile {
    /// The reason why a file was not read or written: one sentence without the file's name.
    package struct Fault: Error {
        package var sentence: String

        package init(sentence: String) { self.sentence = sentence }
    }

    package var bytes: [UInt8]
    /// When the file was last changed, milliseconds since 1970; 0 for standard input.
    package var changed: Int64

    /// Reads a regular file; the path `-` is standard input.
    ///
    /// A named pipe is refused and never waited for. No memory is taken for what is over the limit.
    package static func read(_ path: String, limit: Int) throws(Fault) -> BoundedFile {
        if path == "-" {
            return BoundedFile(bytes: try read(STDIN_FILENO, expected: 0, limit: limit), changed: 0)
        }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault(sentence: "cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw Fault(sentence: "cannot be looked at: \(String(cString: strerror(errno)))")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Fault(sentence: "is a folder; name a file in it")
        case S_IFIFO: throw Fault(sentence: "is a pipe; name a file, or send the text to '-'")
        default: throw Fault(sentence: "is no ordinary file; name one")
        }
        guard status.st_size <= limit else { throw tooLong(limit) }
        let bytes = try read(descriptor, expected: Int(status.st_size), limit: limit)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        let (milliseconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000)
        return BoundedFile(bytes: bytes, changed: overflow ? 0 : milliseconds &+ Int64(time.tv_nsec / 1_000_000))
    }

    private static func read(_ descriptor: Int32, expected: Int, limit: Int) throws(Fault) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(expected)
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = systemRead(descriptor, &part, part.count)
            if count == 0 { return result }
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else {
                    throw Fault(sentence: "cannot be read: \(String(cString: strerror(errno)))")
                }
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&ready, 1, 1_000)
                continue
            }
            guard result.count + count <= limit else { throw tooLong(limit) }
            result += part[..<count]
        }
    }

    private static func tooLong(_ limit: Int) -> Fault {
        limit >= 1 << 20
            ? Fault(sentence: "is over \(limit >> 20) MiB, more than Hearth takes")
            : Fault(sentence: "is over \(limit >> 10) KiB, more than Hearth takes")
    }
}
