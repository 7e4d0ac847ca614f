import Libc
import TestSupport

extension Disk {
    /// Writes a file, and makes the folders around it where needed.
    static func write(_ text: String, to path: String) throws {
        try makeFolder(path.split(separator: "/").dropLast().map { "/" + $0 }.joined())
        write(text, path)
    }

    /// Makes a folder and those around it.
    static func makeFolder(_ path: String) throws {
        var folder = ""
        for part in path.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw Failure("\(folder) cannot be made") }
        }
    }

    /// Flips a bit in the middle of a file.
    static func flip(_ path: String) throws {
        guard var bytes = read(path), !bytes.isEmpty else { throw Failure("\(path) cannot be read") }
        bytes[bytes.count / 2] ^= 1
        write(bytes, path)
    }
}
