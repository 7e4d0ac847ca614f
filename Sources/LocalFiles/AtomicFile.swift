import Libc

/// Replaces a file by an atomic rename, so that no reader ever sees half of it.
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
        let mode = exists && !isPrivate ? status.st_mode & 0o7777 : nil
        do throws(FileFault) {
            if exists, status.st_mode & S_IFMT != S_IFREG {
                return try Descriptor(path, O_WRONLY).writeAll(bytes)
            }
            let target = exists ? resolved(path) : path
            let beside = "\(target).hearth-\(getpid())"
            try DurableFile.create(bytes, at: beside, isPrivate: exists || isPrivate) {
                (file) throws(FileFault) in
                if let mode { try file.setMode(mode) }
            }
            try DurableFile.move(beside, over: target)
            // A memory stick may be pulled out as soon as the command ends. Where a folder cannot be synced, trying
            // costs nothing.
            try? DurableFile.syncFolder(of: target)
        } catch {
            throw BoundedFile.Fault(sentence: "cannot be written: \(String(cString: strerror(error.code)))")
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
