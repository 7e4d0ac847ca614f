import Glibc

/// Why a benchmark cannot go on.
struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(call: String, _ subject: String) { description = "\(call) \(subject): \(String(cString: strerror(errno)))" }
}

/// Plain file work without anything in between.
enum Files {
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let next = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
            guard next > 0 else { break }
            count += next
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    static func text(_ path: String) -> String {
        // Files below /proc have no size.
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func write(_ bytes: [UInt8], to path: String, sync: Bool = false) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Trouble(call: "create", path) }
        defer { close(file) }
        var count = 0
        while count < bytes.count {
            let next = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + count, $0.count - count) }
            guard next > 0 else { throw Trouble(call: "write", path) }
            count += next
        }
        if sync, fsync(file) != 0 { throw Trouble(call: "fsync", path) }
    }

    static func rename(_ old: String, to new: String) throws {
        guard Glibc.rename(old, new) == 0 else { throw Trouble(call: "rename", old) }
    }

    static func sync(folder: String) throws {
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw Trouble(call: "open", folder) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw Trouble(call: "fsync", folder) }
    }

    static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Trouble(call: "mkdir", path) }
    }
}

/// Waits for something to change in a folder (inotify), so that waiting costs the agents no processor time.
final class FolderEvents {
    private let inotify: Int32

    init(_ folder: String) throws {
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard inotify >= 0, inotify_add_watch(inotify, folder, UInt32(IN_MOVED_TO | IN_CLOSE_WRITE)) >= 0 else {
            throw Trouble(call: "watch", folder)
        }
    }

    deinit { close(inotify) }

    /// Returns when `path` holds exactly `bytes`, with the time since `start` at which it was seen.
    func wait(until path: String, holds bytes: [UInt8], since start: Double, patience: Double = 20) throws -> Double {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            while Glibc.read(inotify, &buffer, buffer.count) > 0 {}
            var status = stat()
            if stat(path, &status) == 0, Int(status.st_size) == bytes.count, Files.read(path) == bytes {
                return seconds() - start
            }
            guard seconds() - start < patience else { throw Trouble("\(path) did not change within \(patience) s") }
            var polls = [pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)]
            poll(&polls, 1, 50)
        }
    }
}
