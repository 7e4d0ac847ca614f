import Libc
import LocalFiles
package import MergeCore
package import ProfileKeeping
import ZlibStreams

/// Backups in `HOME/backups/PROFILE/`, one file each; see ``BackupFormat``.
extension DiskFiles {
    package func backups(of profile: ProfileID) throws(StorageFault) -> [StoredBackup] {
        let folder = folder("backups", profile)
        // A key that cannot be used unlocks nothing here. The reason is reported when the next backup is made.
        let key = try? backupKey()
        return try names(in: folder).map { name, kind in
            var seal: BackupFormat.Seal?
            var stored = StoredBackup(name: name, note: BackupNote(time: 0, pools: []), size: nil)
            if case .plain(let time, _) = kind { stored.note.time = WallTime(milliseconds: time) }
            do throws(StorageFault) {
                switch try start(folder + "/" + name, name) {
                case .bare(let size):
                    stored.note.pools = .changes
                    stored.size = size
                case .format(let format): (stored.note, stored.size, seal) = (format.note, format.size, format.seal)
                }
            } catch {
                stored.condition = error.reason == .tooNew ? .newer(error.message) : .damaged(error.message)
            }
            if stored.condition == .good, let seal, let why = Self.lock(seal, key, name) {
                stored.condition = .locked(why)
            }
            return stored
        }
    }

    package func keepBackup(
        _ bytes: [UInt8], of profile: ProfileID, as note: BackupNote
    ) throws(StorageFault) -> String {
        let folder = try makeFolder("backups", profile)
        guard let number = BackupName.next(after: try names(in: folder).map(\.kind)) else {
            throw StorageFault(.other, "no number is left in \(folder); remove the backup with the largest one")
        }
        let name = BackupName.name(number)
        guard try Self.status(folder + "/" + name) == nil else {
            throw StorageFault(.other, "\(folder) holds too many files to tell the newest; remove some")
        }
        try write(BackupFormat.file(bytes, note, key: try backupKey()), as: name, in: folder)
        return name
    }

    package func noteBackup(_ name: String, of profile: ProfileID, as note: BackupNote) throws(StorageFault) {
        let path = try backupPath(name, profile)
        let start = try start(path, name)
        let key = try backupKey()
        if case .format(let format) = start, format.note == note {
            return try Self.sync(folder: folder("backups", profile))
        }
        guard var file = try content(path, shown: path, limit: Self.backupLimit)?.bytes else { throw Self.none(name) }
        switch start {
        case .bare:
            // A bare document has no place for a note, so it takes the present format. Its name keeps the time when it
            // was made.
            file = BackupFormat.file(file, note, key: key)
        case .format(var format):
            guard file.count == format.headerSize + format.storedSize else {
                throw Self.fault(.damaged("has another length than was written"), name)
            }
            if let seal = format.seal {
                // The note is part of the encrypted file, so the content has to be encrypted anew with it.
                if let why = Self.lock(seal, key, name) { throw StorageFault(.locked, why) }
                do throws(BackupFormat.Fault) {
                    let content = try format.content(of: file, limit: Self.backupLimit, key: key)
                    file = BackupFormat.file(content, note, key: key)
                } catch {
                    throw Self.fault(error, name)
                }
            } else {
                format.note = note
                file.replaceSubrange(..<format.headerSize, with: format.header)
            }
        }
        try write(file, as: name, in: folder("backups", profile))
    }

    package func readBackup(_ name: String, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8] {
        let path = try backupPath(name, profile)
        let size =
            switch try start(path, name) {
            case .bare(let size): size
            case .format(let format): format.size
            }
        guard size <= limit else {
            throw StorageFault(
                .tooLarge, "backup \(name) holds more than \(limit) bytes; a save that large is not kept")
        }
        let file = try backupFile(name, of: profile)
        guard file.starts(with: BackupFormat.magic) else { return file }
        // The header is checked again: the file that was opened first may have been replaced since.
        return try document(in: file, name, limit: limit)
    }

    package func backup(_ name: String, of profile: ProfileID, holds bytes: [UInt8]) -> Bool {
        guard let path = try? backupPath(name, profile), case .format(let format) = try? start(path, name),
            format.size == bytes.count, format.seal != nil || format.checksum == ZlibStream.checksum(bytes)
        else { return false }
        return Bytes.equal(try? readBackup(name, of: profile, limit: bytes.count), bytes)
    }

    package func removeBackups(_ names: [String], of profile: ProfileID) {
        for name in names {
            if let path = try? backupPath(name, profile) { unlink(path) }
        }
    }

    // MARK: Helpers

    /// The whole file of a backup, as it is stored.
    func backupFile(_ name: String, of profile: ProfileID) throws(StorageFault) -> [UInt8] {
        let path = try backupPath(name, profile)
        guard let file = try content(path, shown: path, limit: Self.backupLimit)?.bytes else { throw Self.none(name) }
        return file
    }

    /// The content of a file in the backup format.
    ///
    /// - Parameter isCopy: Whether another device made the file.
    func document(
        in file: [UInt8], _ name: String, limit: Int, isCopy: Bool = false
    ) throws(StorageFault) -> [UInt8] {
        do throws(BackupFormat.Fault) {
            let format = try BackupFormat(header: file, fileSize: file.count)
            let key = format.seal == nil ? nil : try? backupKey()
            if let seal = format.seal, let why = Self.lock(seal, key, name, isCopy: isCopy) { throw .locked(why) }
            return try format.content(of: file, limit: limit, key: key)
        } catch {
            throw Self.fault(error, name)
        }
    }

    /// The largest size of a backup file: the largest profile file, and what compression may add to it.
    static var backupLimit: Int { 65 << 20 }

    /// The names of a folder's backups, in the order in which they were made.
    private func names(in folder: String) throws(StorageFault) -> [(name: String, kind: BackupName)] {
        guard try Self.status(folder) != nil else { return [] }
        _ = try StorageFault.explaining("look through the backups in", folder) { () throws(FileFault) in
            try Descriptor(folder, O_RDONLY | O_DIRECTORY)
        }
        return Self.names(in: folder, limit: 10_000) { BackupName($0) != nil }
            .map { ($0, BackupName($0)!) }.sorted { $0.1 < $1.1 }
    }

    /// The key that backups are encrypted with; `nil` where they are not.
    func backupKey() throws(StorageFault) -> BackupKey? { try BackupKeyFile(home: home).load() }

    /// The reason why a backup cannot be decrypted; `nil` where the key fits.
    ///
    /// - Parameter isCopy: Whether another device made the file.
    static func lock(
        _ seal: BackupFormat.Seal, _ key: BackupKey?, _ name: String, isCopy: Bool = false
    ) -> String? {
        guard key?.id != seal.keyID else { return nil }
        if isCopy {
            return
                "backup \(name) is locked: it is encrypted with the backup key of the device it comes from; put that "
                + "key here with its recovery words and 'hearth backup-key recover'"
                + (key == nil ? "" : ", after moving the backup key that is here away")
        }
        guard key != nil else {
            return
                "backup \(name) is locked: it is encrypted, and the backup key is not here; put it back with 'hearth backup-key recover'"
        }
        return
            "backup \(name) is locked: it is encrypted with another backup key than the one here; recover that one in a home of its own"
    }

    func backupPath(_ name: String, _ profile: ProfileID) throws(StorageFault) -> String {
        guard BackupName(name) != nil else { throw Self.none(name) }
        return folder("backups", profile) + "/" + name
    }

    enum Start {
        /// A bare document of this many bytes.
        case bare(Int)
        case format(BackupFormat)
    }

    /// Finds out by a file's first bytes which kind of backup it is. Reads no more than a header.
    func start(_ path: String, _ name: String) throws(StorageFault) -> Start {
        guard let before = try Self.status(path) else { throw Self.none(name) }
        if let fault = StorageFault.unless(regular: before.st_mode, at: path) { throw fault }
        let (bytes, size) = try StorageFault.explaining("read", path) { () throws(FileFault) in
            let file = try Descriptor(path, Self.safely)
            let size = Int(try file.status().st_size)
            return (try file.readStart(BackupFormat.longestHeader), size)
        }
        if case .plain = BackupName(name), !bytes.starts(with: BackupFormat.magic) { return .bare(size) }
        do throws(BackupFormat.Fault) {
            return .format(try BackupFormat(header: bytes, fileSize: size))
        } catch {
            throw Self.fault(error, name)
        }
    }

    static func none(_ name: String) -> StorageFault {
        StorageFault(.other, "there is no backup \(name); list the backups and give one of their names")
    }

    static func fault(_ fault: BackupFormat.Fault, _ name: String) -> StorageFault {
        switch fault {
        case .locked(let why): StorageFault(.locked, why)
        case .damaged(let what): StorageFault(.damaged, "backup \(name) \(what), so it is damaged; restore another one")
        case .newer(let format):
            StorageFault(
                .tooNew, "backup \(name) was made by a newer version of Hearth (\(format)); update Hearth to read it")
        }
    }
}
