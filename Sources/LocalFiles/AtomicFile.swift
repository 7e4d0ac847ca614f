import Libc

/// Replaces a file by an atomic rename, so that nobody ever sees half of it.
package enum AtomicFile {
    /// Writes a file beside the target, syncs it, and renames it onto the target. The mode bits of an existing file
    /// stay. A symlink stays, and its target is replaced. Something that is no ordinary file (`/dev/stdout`) is written
    /// directly.
    ///
    /// - Parameter isPrivate: Whether the file is for this user only (0600), whatever mode an existing file has.
    package static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(BoundedFile.Fault) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR { throw BoundedFile.Fault(sentence: "is a folder; name a file") }
        if exists, status.st_mode & S_IFMT != S_IFREG { return try writeInPlace(bytes, path) }
        let target = exists ? resolved(path) : path
        let beside = "\(target).hearth-\(getpid())"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists || isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else { throw fault() }
        var failure = writeAll(bytes, descriptor)
        if failure == nil, exists, !isPrivate, fchmod(descriptor, status.st_mode & 0o7777) != 0 { failure = fault() }
        if failure == nil, fsync(descriptor) != 0 { failure = fault() }
        if close(descriptor) != 0, failure == nil { failure = fault() }
        if failure == nil, rename(beside, target) != 0 { failure = fault() }
        if let failure {
            unlink(beside)
            throw failure
        }
        syncFolder(of: target)
    }

    /// Syncs the folder, because a memory stick may be pulled out as soon as the command ends. Errors are ignored:
    /// where a folder cannot be synced, trying costs nothing.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func writeInPlace(_ bytes: [UInt8], _ path: String) throws(BoundedFile.Fault) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault() }
        defer { close(descriptor) }
        if let failure = writeAll(bytes, descriptor) { throw failure }
    }

    private static func writeAll(_ bytes: [UInt8], _ descriptor: Int32) -> BoundedFile.Fault? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return fault() }
        }
        return nil
    }

    private static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    private static func fault() -> BoundedFile.Fault {
        BoundedFile.Fault(sentence: "cannot be written: \(String(cString: strerror(errno)))")
    }
}
