import Libc
package import ProfileKeeping

/// The file `HOME/backup.key`: the recovery words of the key that backups are encrypted with, readable by this user
/// only (0600).
///
/// Backups are encrypted if the file exists, and plain if not. A file that exists and cannot be used makes backups
/// fail; they do not become plain then.
package struct BackupKeyFile: Sendable {
    let home: String
    /// Bytes that are read at most: more than nine words need.
    private static let limit = 256

    /// - Parameter home: Hearth's own folder, as an absolute path.
    package init(home: String) { self.home = home }

    package var path: String { home + "/backup.key" }

    /// The key; `nil` where there is no file.
    package func load() throws(StorageFault) -> BackupKey? {
        guard let before = try DiskFiles.status(path) else { return nil }
        guard before.st_mode & S_IFMT == S_IFREG else { throw unusable("it is no regular file") }
        guard let file = Descriptor(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW), let status = file.status() else {
            if errno == ENOENT { return nil }
            throw StorageFault(code: errno, "read the backup key", path)
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw StorageFault(
                .denied, "other users have rights on the backup key \(path) (mode 0\(mode)); run: chmod 600 \(path)")
        }
        guard let bytes = try file.readAll(expecting: Int(status.st_size), limit: Self.limit, path: path) else {
            throw unusable("it is far too large for a key")
        }
        do {
            return try BackupKey(words: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw unusable(error.description)
        }
    }

    /// Creates the file, complete and durable, or not at all. An existing file is never replaced.
    package func create(_ key: BackupKey) throws(StorageFault) {
        let draft = path + ".new"
        unlink(draft)
        guard let file = Descriptor(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            throw StorageFault(code: errno, "create the backup key", draft)
        }
        defer { unlink(draft) }
        try file.writeAll(Array((key.words + "\n").utf8), path: draft)
        try file.sync(path: draft)
        if link(draft, path) != 0 {
            let code = errno
            guard code != EEXIST else {
                throw StorageFault(.changed, "a backup key is at \(path) already; it stays as it is")
            }
            // This file system has no hard links.
            guard try DiskFiles.status(path) == nil, rename(draft, path) == 0 else {
                throw StorageFault(code: code, "create the backup key", path)
            }
        }
        try DiskFiles.sync(folder: home)
    }

    private func unusable(_ why: String) -> StorageFault {
        StorageFault(
            .other,
            "the backup key \(path) cannot be used (\(why)); move it away, then put the key back with 'hearth backup-key recover'"
        )
    }
}
