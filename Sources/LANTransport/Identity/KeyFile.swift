import Libc
import LocalFiles

/// The file with the device's private key: mode 0600, created once, complete or not at all.
///
/// A new key is written under a second name, synced, and hard-linked to its real name; the link fails where a key
/// exists already. So a start that is killed at any point leaves either no key or a complete one.
struct KeyFile {
    /// The most bytes that are read: more than the PEM text of any P-256 key.
    static let maximumBytes = 16 << 10

    let folder: String
    var path: String { folder + "/device.key" }

    /// The text of the file; `nil` where there is none.
    func load() throws(CredentialsError) -> String? {
        // O_NONBLOCK: opening a FIFO put in the key's place must not hang the start.
        let opened = try reading { () throws(FileFault) in try Descriptor(existing: path, O_RDONLY | O_NONBLOCK) }
        guard let file = opened else { return nil }
        let status = try reading { () throws(FileFault) in try file.status() }
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
        let bytes = try reading { () throws(FileFault) in
            try file.readAll(expecting: Int(status.st_size), limit: Self.maximumBytes)
        }
        guard let bytes else { throw unreadable("it is far too large for a key") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Creates the file with `text`. It is durable when this returns.
    ///
    /// If another start creates a key at the same time, either may win. Use the key that ``load()`` returns afterwards.
    func create(_ text: String) throws(CredentialsError) {
        do throws(FileFault) {
            try DurableFile.createNew(Array(text.utf8), at: path, draft: path + ".new") { (file) throws(FileFault) in
                // The umask may remove bits of the mode that was asked for, but never adds any.
                try file.setMode(0o600)
            }
        } catch {
            // Another start has made its draft or its key meanwhile, or has taken this draft for one that was left
            // behind.
            switch (error.call, error.code) {
            case (.open, EEXIST), (.link, EEXIST), (.link, ENOENT): return
            default: throw cannotCreate(error.code)
            }
        }
    }

    private func reading<Value: ~Copyable>(
        _ calls: () throws(FileFault) -> Value
    ) throws(CredentialsError) -> Value {
        do throws(FileFault) {
            return try calls()
        } catch {
            let why = Self.reason(error.code)
            throw unreadable(error.call == .open ? "it cannot be opened (\(why))" : why)
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
