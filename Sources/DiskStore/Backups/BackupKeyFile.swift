import Libc
import LocalFiles
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
        let opened = try StorageFault.explaining("read the backup key", path) { () throws(FileFault) in
            try Descriptor(existing: path, DiskFiles.safely)
        }
        guard let file = opened else { return nil }
        let status = try StorageFault.explaining("read the backup key", path) { () throws(FileFault) in
            try file.status()
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw StorageFault(
                .denied, "other users have rights on the backup key \(path) (mode 0\(mode)); run: chmod 600 \(path)")
        }
        let bytes = try StorageFault.explaining("read", path) { () throws(FileFault) in
            try file.readAll(expecting: Int(status.st_size), limit: Self.limit)
        }
        guard let bytes else { throw unusable("it is far too large for a key") }
        do {
            return try BackupKey(words: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw unusable(error.description)
        }
    }

    /// Creates the file, complete and durable, or not at all. An existing file is never replaced.
    package func create(_ key: BackupKey) throws(StorageFault) {
        let draft = path + ".new"
        do throws(FileFault) {
            try DurableFile.createNew(Array((key.words + "\n").utf8), at: path, draft: draft)
        } catch {
            switch error.call {
            case .link where error.code == EEXIST:
                throw StorageFault(.changed, "a backup key is at \(path) already; it stays as it is")
            case .status: throw StorageFault(code: error.code, "look at", path)
            case .open, .write, .sync, .close: throw StorageFault(error, "create the backup key", draft)
            default: throw StorageFault(error, "create the backup key", path)
            }
        }
    }

    private func unusable(_ why: String) -> StorageFault {
        StorageFault(
            .other,
            "the backup key \(path) cannot be used (\(why)); move it away, then put the key back with 'hearth backup-key recover'"
        )
    }
}
