import Glibc

/// A folder of its own for one test, removed with it.
final class TemporaryFolder {
    let path: String

    init(in parent: String = "/tmp") {
        var template = Array("\(parent)/hearth-disk-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) else {
            preconditionFailure("no temporary folder: \(String(cString: strerror(errno)))")
        }
        path = String(cString: made)
    }

    deinit { Self.remove(path) }

    subscript(_ name: String) -> String { path + "/" + name }

    static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in names(path) { remove(path + "/" + name) }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    static func names(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// Plain file work, as a game does it.
enum Disk {
    static func write(_ bytes: [UInt8], _ path: String, mode: mode_t = 0o644) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        precondition(file >= 0, "cannot write \(path)")
        precondition(Glibc.write(file, bytes, bytes.count) == bytes.count)
        close(file)
        chmod(path, mode)
    }

    static func write(_ text: String, _ path: String, mode: mode_t = 0o644) {
        write(Array(text.utf8), path, mode: mode)
    }

    /// Writes another file and renames it to the path.
    static func save(_ bytes: [UInt8], _ path: String) {
        write(bytes, path + ".game")
        rename(path + ".game", path)
    }

    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &part, part.count)
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }

    static func text(_ path: String) -> String? { read(path).map { String(decoding: $0, as: UTF8.self) } }

    static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
