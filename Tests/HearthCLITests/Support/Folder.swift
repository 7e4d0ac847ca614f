import Libc
import Synchronization

/// A temporary folder that is removed with the test.
final class Folder: Sendable {
    let path: String
    private let count = Mutex(0)

    init() {
        var template = Array("/tmp/hearth-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no folder can be made in /tmp") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    func path(_ name: String) -> String { path + "/" + name }

    /// A number that no other call returns.
    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, _ name: String) -> String { write(Array(text.utf8), path(name)) }

    @discardableResult
    func write(_ bytes: [UInt8], _ path: String) -> String {
        guard let file = fopen(path, "wb") else { preconditionFailure("\(path) cannot be written") }
        defer { fclose(file) }
        _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        return path
    }

    func read(_ path: String) -> [UInt8]? { Files.read(path) }

    /// Sets the file's modification time, in seconds since 1970.
    func setTime(_ path: String, _ seconds: Int) {
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, &times, 0)
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        chmod(path, 0o700)
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove(path + "/" + name) }
        }
        closedir(folder)
        rmdir(path)
    }
}

/// Files of the package.
enum Files {
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(
        separator: "/"
    )

    static func rules(_ name: String) -> [UInt8]? { read("\(root)/Examples/rules/\(name).yaml") }

    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 64 << 20 {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes
    }
}
