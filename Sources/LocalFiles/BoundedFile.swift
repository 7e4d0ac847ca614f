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
    /// A named pipe is refused at once. No memory is taken for bytes over the limit.
    package static func read(_ path: String, limit: Int) throws(Fault) -> BoundedFile {
        if path == "-" {
            return BoundedFile(bytes: try read(STDIN_FILENO, expected: 0, limit: limit), changed: 0)
        }
        let file = try explaining { () throws(FileFault) in try Descriptor(path, O_RDONLY | O_NONBLOCK) }
        let status = try explaining { () throws(FileFault) in try file.status() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Fault(sentence: "is a folder; name a file in it")
        case S_IFIFO: throw Fault(sentence: "is a pipe; name a file, or send the text to '-'")
        default: throw Fault(sentence: "is no ordinary file; name one")
        }
        guard status.st_size <= limit else { throw tooLong(limit) }
        let bytes = try read(file.number, expected: Int(status.st_size), limit: limit)
        return BoundedFile(bytes: bytes, changed: status.modified)
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

    private static func explaining<Value: ~Copyable>(_ calls: () throws(FileFault) -> Value) throws(Fault) -> Value {
        do throws(FileFault) {
            return try calls()
        } catch {
            let what = error.call == .open ? "opened" : "looked at"
            throw Fault(sentence: "cannot be \(what): \(String(cString: strerror(error.code)))")
        }
    }

    private static func tooLong(_ limit: Int) -> Fault {
        limit >= 1 << 20
            ? Fault(sentence: "is over \(limit >> 20) MiB, more than Hearth takes")
            : Fault(sentence: "is over \(limit >> 10) KiB, more than Hearth takes")
    }
}
