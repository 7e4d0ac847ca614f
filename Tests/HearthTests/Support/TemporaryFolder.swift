import Libc

/// A folder under `/tmp` that is removed with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/hearth-live-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no folder can be made in /tmp") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Disk.remove(path) }
}

/// The few file operations the tests need, directly by system calls.
enum Disk {
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 64 << 20 {
            let count = systemRead(file, &part, part.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += part[..<count]
        }
        return bytes
    }

    static func text(_ path: String) -> String { String(decoding: read(path) ?? [], as: UTF8.self) }

    /// Writes into the file itself, like a simple game.
    static func write(_ bytes: [UInt8], inPlace path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(file >= 0, "\(path) cannot be written")
        append(bytes, to: file)
        close(file)
    }

    static func append(_ bytes: [UInt8], to file: Int32) {
        precondition(systemWrite(file, bytes, bytes.count) == bytes.count, "a short write")
    }

    /// Writes a temporary file and renames it to `path`, like a careful game.
    static func replace(_ path: String, with bytes: [UInt8]) {
        write(bytes, inPlace: path + ".game")
        precondition(rename(path + ".game", path) == 0, "\(path) cannot be replaced")
    }

    static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        chmod(path, 0o700)
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }

    private static func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
        #if canImport(Darwin)
            Darwin.read(file, buffer, count)
        #else
            Glibc.read(file, buffer, count)
        #endif
    }

    private static func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Darwin)
            Darwin.write(file, buffer, count)
        #else
            Glibc.write(file, buffer, count)
        #endif
    }
}
