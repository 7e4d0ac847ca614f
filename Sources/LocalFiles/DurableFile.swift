import Libc

/// The sequences of calls that create or replace a file completely or not at all, even if the process is killed or the
/// power fails.
///
/// A complete file is made durable under a second name (the draft) before it takes its own name, and the folder is
/// synced after that: the file is then there after a power cut, and never a part of it.
package enum DurableFile {
    /// Creates a file with all of `bytes`, durable except for its name. There must be nothing at the path. If a step
    /// fails, nothing is left there.
    ///
    /// - Parameters:
    ///   - isPrivate: Whether the file is for this user only (0600); else the umask decides.
    ///   - finish: More work to do on the file before it is made durable.
    package static func create(
        _ bytes: [UInt8], at path: String, isPrivate: Bool = true,
        finish: (borrowing Descriptor) throws(FileFault) -> Void = { _ in }
    ) throws(FileFault) {
        let mode: mode_t = isPrivate ? 0o600 : 0o666
        let file = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        do throws(FileFault) {
            try file.writeAll(bytes)
            try finish(file)
            try file.sync()
            try file.close()
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Creates a file for this user only, through a draft, durably. An existing file at the path stays, and the error
    /// is EEXIST.
    ///
    /// - Parameters:
    ///   - draft: A path in the same folder. A file that a killed process has left there is removed.
    ///   - finish: More work to do on the file before it is made durable.
    package static func createNew(
        _ bytes: [UInt8], at path: String, draft: String,
        finish: (borrowing Descriptor) throws(FileFault) -> Void = { _ in }
    ) throws(FileFault) {
        unlink(draft)
        try create(bytes, at: draft, finish: finish)
        defer { unlink(draft) }
        try place(draft, at: path)
        try syncFolder(of: path)
    }

    /// Replaces a file, or creates it, through a draft, durably.
    ///
    /// - Parameter draft: A path in the same folder. A file that a killed process has left there is removed.
    package static func replace(_ path: String, with bytes: [UInt8], draft: String) throws(FileFault) {
        unlink(draft)
        try create(bytes, at: draft)
        try move(draft, over: path)
        try syncFolder(of: path)
    }

    // MARK: Steps

    /// Renames a draft over the file that it replaces. If that fails, the draft is removed.
    package static func move(_ draft: String, over path: String) throws(FileFault) {
        guard rename(draft, path) == 0 else {
            let fault = FileFault(.rename, code: errno)
            unlink(draft)
            throw fault
        }
    }

    /// Gives a draft its name if no file has that name yet; else the error is EEXIST. If the file system has hard
    /// links, the draft's own name stays.
    package static func place(_ draft: String, at path: String) throws(FileFault) {
        if link(draft, path) == 0 { return }
        let code = errno
        // These say that the file system has no hard links, or takes no more to this file.
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(code) else { throw FileFault(.link, code: code) }
        var status = stat()
        if lstat(path, &status) == 0 { throw FileFault(.link, code: EEXIST) }
        guard errno == ENOENT || errno == ENOTDIR else { throw FileFault(.status, code: errno) }
        guard rename(draft, path) == 0 else { throw FileFault(.rename, code: errno) }
    }

    /// Makes the names in a folder durable.
    package static func sync(folder: String) throws(FileFault) {
        let descriptor: Descriptor
        do throws(FileFault) {
            descriptor = try Descriptor(folder, O_RDONLY | O_DIRECTORY)
        } catch {
            throw FileFault(.openFolder, code: error.code)
        }
        try descriptor.syncNames()
    }

    /// Makes the name of a file durable.
    package static func syncFolder(of path: String) throws(FileFault) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return try sync(folder: ".") }
        try sync(folder: slash == path.startIndex ? "/" : String(path[..<slash]))
    }
}
