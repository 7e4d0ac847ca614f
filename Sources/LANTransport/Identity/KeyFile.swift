import Libc

/// The file with the device's private key: mode 0600, created once, complete or not at all.
///
/// A new key is written under a second name, synced, and hard-linked to its real name; the link fails where a key
/// exists already. So a start that is killed at any point leaves either no key or a complete one.
struct KeyFile {
    /// The most bytes that are read: more than the PEM text of any P-256 key.
    static let maximumBytes = 16 << 10
    private static let privateMode: mode_t = 0o600

    let folder: String
    var path: String { folder + "/device.key" }
    private var draftPath: String { folder + "/device.key.new" }

    /// The text of the file; `nil` where there is none.
    func load() throws(CredentialsError) -> String? {
        // O_NONBLOCK: a FIFO in place of the key must not block the start.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw unreadable("it cannot be opened (\(Self.reason(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(Self.reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is not a regular file") }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw CredentialsError(
                code: .openToOthers,
                message: "Other users have rights on the private key \(path) (mode 0\(mode)): "
                    + "run \"chmod 600 \(path)\" and start again."
            )
        }
        guard status.st_size <= Self.maximumBytes else { throw unreadable("it is far too large for a key") }
        return try readAll(descriptor)
    }

    /// Creates the file with `text`. It is durable when this returns.
    ///
    /// Where another start creates a key at the same time, either may win. Use the key that ``load()`` returns
    /// afterwards.
    func create(_ text: String) throws(CredentialsError) {
        // A draft that a killed start left behind; nothing uses it.
        unlink(draftPath)
        let descriptor = open(draftPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, Self.privateMode)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw cannotCreate(errno)
        }
        defer { unlink(draftPath) }
        do throws(CredentialsError) {
            try writeAll(Array(text.utf8), to: descriptor)
            // The umask can remove bits from the requested mode, so set the mode explicitly.
            guard fchmod(descriptor, Self.privateMode) == 0, Self.sync(descriptor) else { throw cannotCreate(errno) }
        } catch {
            close(descriptor)
            throw error
        }
        close(descriptor)
        if link(draftPath, path) != 0 {
            switch errno {
            case EEXIST, ENOENT: return
            case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: try moveDraft()
            default: throw cannotCreate(errno)
            }
        }
        try syncFolder()
    }

    /// Renames the draft to its real name, for file systems without hard links.
    private func moveDraft() throws(CredentialsError) {
        guard rename(draftPath, path) == 0 else { throw cannotCreate(errno) }
    }

    private func syncFolder() throws(CredentialsError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw cannotCreate(errno) }
        defer { close(descriptor) }
        // Some file systems cannot sync folders and report EINVAL; nothing can be done about that.
        guard Self.sync(descriptor) || errno == EINVAL else { throw cannotCreate(errno) }
    }

    private static func sync(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    private func readAll(_ descriptor: Int32) throws(CredentialsError) -> String {
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress! + count, buffer.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw unreadable(Self.reason(errno)) }
            if got == 0 { break }
            count += got
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(CredentialsError) {
        var done = 0
        while done < bytes.count {
            let put = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, $0.count - done) }
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { throw cannotCreate(errno) }
            done += put
        }
    }

    private func unreadable(_ why: String) -> CredentialsError {
        CredentialsError(
            code: .unreadable,
            message: "The private key \(path) cannot be read: \(why). "
                + "Make it readable for this user, or put your own copy of it back."
        )
    }

    private func cannotCreate(_ code: Int32) -> CredentialsError {
        CredentialsError(
            code: .cannotCreate,
            message: "No private key can be made at \(path): \(Self.reason(code)). "
                + "Check that the folder exists, that this user may write to it and that the disk is not full."
        )
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case EACCES, EPERM: "this user has no permission"
        case ENOENT: "the folder does not exist"
        case ENOTDIR: "a part of the path is not a folder"
        case ENOSPC, EDQUOT: "the disk is full"
        case EROFS: "the disk is read-only"
        case ELOOP: "it is a loop of symbolic links"
        case EISDIR: "it is a folder"
        case EIO: "the disk reports an error"
        default: "system error \(code)"
        }
    }
}
