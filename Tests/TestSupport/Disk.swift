package import Libc

/// Files as a game and a person handle them: plain system calls, none of Hearth's own code.
package enum Disk {
    /// The content of a file of at most 64 MiB; `nil` where it cannot be read. A pipe is not waited for.
    package static func read(_ path: String) -> [UInt8]? {
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

    /// The content of a file as text; nothing where it cannot be read.
    package static func text(_ path: String) -> String { String(decoding: read(path) ?? [], as: UTF8.self) }

    /// Empties a file and writes into it, as a careless game does.
    package static func write(_ bytes: [UInt8], _ path: String, mode: mode_t = 0o644) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        precondition(file >= 0, "\(path) cannot be written: \(String(cString: strerror(errno)))")
        append(bytes, to: file)
        close(file)
        // Whatever the mask of the process is.
        chmod(path, mode)
    }

    package static func write(_ text: String, _ path: String, mode: mode_t = 0o644) {
        write(Array(text.utf8), path, mode: mode)
    }

    /// Writes another file and renames it to the path, as a careful game does.
    package static func replace(_ path: String, with bytes: [UInt8]) {
        write(bytes, path + ".game")
        precondition(rename(path + ".game", path) == 0, "\(path) cannot be replaced")
    }

    package static func append(_ bytes: [UInt8], to file: Int32) {
        precondition(systemWrite(file, bytes, bytes.count) == bytes.count, "a short write")
    }

    /// The names of what is in a folder, sorted.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The permission bits of what is at a path; `nil` where nothing is.
    package static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// Removes a file, or a folder with all that is in it.
    package static func remove(_ path: String) {
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

    /// Sets the time of a file's last change, in seconds since 1970.
    package static func setTime(_ path: String, _ seconds: Int) {
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, &times, 0)
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
