import Crypto
import Libc
import LocalFiles
package import MergeCore
package import ProfileKeeping

/// Copies of backups: this device's backup files for other devices, and copies of other devices' backups in
/// `HOME/copies/PROFILE/DEVICE/`; see ``CopyName``.
///
/// Incoming bytes are staged as `HOME/copies/.staged-DEVICE`. A complete file is made durable, then renamed to its
/// place.
extension DiskFiles {
    // MARK: For others

    package func storedBackup(_ name: String, of profile: ProfileID) throws(StorageFault) -> StoredFile {
        let file = try backupFile(name, of: profile)
        _ = try document(in: file, name, limit: Self.backupLimit)
        return StoredFile(size: file.count, checksum: Self.checksum(file))
    }

    package func readStoredBackup(
        _ name: String, of profile: ProfileID, from offset: Int, limit: Int
    ) throws(StorageFault) -> [UInt8] {
        let path = try backupPath(name, profile)
        _ = try start(path, name)
        return try StorageFault.explaining("read", path) { () throws(FileFault) in
            try Descriptor(path, Self.safely).readStart(limit, from: offset)
        }
    }

    // MARK: Looking

    package func copies(of profile: ProfileID) throws(StorageFault) -> [StoredCopy] {
        let folder = folder("copies", profile)
        let key = try? backupKey()
        var copies: [StoredCopy] = []
        for device in try Self.look(in: folder, limit: 1_000, { Self.device($0) != nil }) {
            for name in try copyNames(in: folder + "/" + device) where copies.count < 10_000 {
                copies.append(copy(name, Self.device(device)!, at: folder + "/" + device + "/" + name.name, key))
            }
        }
        return copies
    }

    package func readCopy(_ copy: StoredCopy, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8] {
        let path = path(of: copy, profile)
        _ = try start(path, copy.name)
        guard let file = try content(path, shown: path, limit: Self.backupLimit)?.bytes else {
            throw Self.none(copy.name)
        }
        guard Self.checksum(file) == copy.checksum else {
            throw Self.fault(.damaged("does not match its checksum"), copy.name)
        }
        return try document(in: file, copy.name, limit: limit, isCopy: true)
    }

    // MARK: Making

    package func stageCopy(_ bytes: [UInt8], at offset: Int, from owner: DeviceID) throws(StorageFault) {
        let path = stagedPath(owner)
        if offset == 0 {
            try HomeFolder.create(home + "/copies")
            unlink(path)
        }
        let flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | (offset == 0 ? O_CREAT | O_EXCL : 0)
        let file = try StorageFault.explaining("write", path) { () throws(FileFault) in
            try Descriptor(path, flags, mode: 0o600)
        }
        let status = try StorageFault.explaining("write", path) { () throws(FileFault) in try file.status() }
        do throws(StorageFault) {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size == off_t(offset) else {
                throw StorageFault(.changed, "\(path) is not what was written there")
            }
            try StorageFault.explaining("write", path) { () throws(FileFault) in try file.writeAll(bytes) }
        } catch {
            unlink(path)
            throw error
        }
    }

    package func keepCopy(
        from owner: DeviceID, of profile: ProfileID, day: LocalDay, checksum: [UInt8]
    ) throws(StorageFault) {
        let staged = stagedPath(owner)
        defer { unlink(staged) }
        guard let bytes = try content(staged, shown: staged, limit: Self.backupLimit)?.bytes,
            Self.checksum(bytes) == checksum, Self.isDaily(bytes, of: day)
        else {
            throw StorageFault(.damaged, "what came of the backup of \(day) is not what was listed")
        }
        let folder = folder("copies", profile) + "/" + owner.hex
        try HomeFolder.create(folder)
        guard let number = CopyName.next(after: try copyNames(in: folder)) else {
            throw StorageFault(.other, "no number is left in \(folder); remove the copy with the largest one")
        }
        let path = folder + "/" + CopyName(number: number, day: day, checksum: checksum).name
        try StorageFault.explaining("read", staged) { () throws(FileFault) in
            try Descriptor(staged, Self.safely).sync()
        }
        try StorageFault.explaining("create", path) { () throws(FileFault) in
            try DurableFile.move(staged, over: path)
        }
        // A file that was renamed from one folder to another is durable when both folders are synced.
        try Self.sync(folder: folder)
        try Self.sync(folder: home + "/copies")
    }

    package func removeCopies(_ copies: [StoredCopy], of profile: ProfileID) {
        for copy in copies { unlink(path(of: copy, profile)) }
    }

    package func copiesSize(of owner: DeviceID) throws(StorageFault) -> Int64 {
        let copies = home + "/copies"
        var sum: Int64 = 0
        for profile in try Self.look(in: copies, limit: 100_000, { !$0.hasPrefix(".") }) {
            let folder = "\(copies)/\(profile)/\(owner.hex)"
            for name in try copyNames(in: folder) {
                let size = Int64(try Self.status(folder + "/" + name.name)?.st_size ?? 0)
                sum = sum > .max - size ? .max : sum + size
            }
        }
        return sum
    }

    package func copyRoom() throws(StorageFault) -> DiskRoom { try DiskRoom(at: home) }

    package func dropStagedCopy(from owner: DeviceID) { unlink(stagedPath(owner)) }

    package func sweepCopies() {
        let folder = home + "/copies"
        for name in Self.names(in: folder, limit: 10_000, { $0.hasPrefix(Self.stagedPrefix) }) {
            unlink(folder + "/" + name)
        }
    }

    // MARK: Helpers

    private static let stagedPrefix = ".staged-"

    private func stagedPath(_ owner: DeviceID) -> String { home + "/copies/" + Self.stagedPrefix + owner.hex }

    private func path(of copy: StoredCopy, _ profile: ProfileID) -> String {
        folder("copies", profile) + "/" + copy.owner.hex + "/"
            + CopyName(number: copy.number, day: copy.day, checksum: copy.checksum).name
    }

    private static func device(_ name: String) -> DeviceID? {
        DeviceID(hex: name).flatMap { $0.hex == name ? $0 : nil }
    }

    private func copyNames(in folder: String) throws(StorageFault) -> [CopyName] {
        try Self.look(in: folder, limit: 10_000) { CopyName($0) != nil }.compactMap { CopyName($0) }
            .sorted { $0.number < $1.number }
    }

    /// The names in a folder that pass a test; none where there is no such folder. Throws where it cannot be opened.
    private static func look(
        in folder: String, limit: Int, _ passes: (String) -> Bool
    ) throws(StorageFault) -> [String] {
        guard try status(folder) != nil else { return [] }
        _ = try StorageFault.explaining("look through the copies in", folder) { () throws(FileFault) in
            try Descriptor(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
        }
        return names(in: folder, limit: limit, passes)
    }

    /// The description of a copy, from its file's header.
    private func copy(_ file: CopyName, _ owner: DeviceID, at path: String, _ key: BackupKey?) -> StoredCopy {
        let name = StoredCopy.name(owner: owner, day: file.day)
        var stored = StoredBackup(name: name, note: BackupNote(time: 0, pools: .daily, day: file.day), size: nil)
        do throws(StorageFault) {
            if case .format(let format) = try start(path, name) {
                (stored.note, stored.size) = (format.note, format.size)
                if let seal = format.seal, let why = Self.lock(seal, key, name, isCopy: true) {
                    stored.condition = .locked(why)
                }
            }
        } catch {
            stored.condition = error.reason == .tooNew ? .newer(error.message) : .damaged(error.message)
        }
        var copy = StoredCopy(
            number: file.number, owner: owner, day: file.day, checksum: file.checksum, backup: stored)
        copy.fileSize = Int((try? Self.status(path))?.st_size ?? 0)
        return copy
    }

    /// Whether a file is a daily backup of a day, according to its header. A file of a newer format counts as one,
    /// because its header cannot be read here.
    private static func isDaily(_ file: [UInt8], of day: LocalDay) -> Bool {
        do throws(BackupFormat.Fault) {
            let note = try BackupFormat(header: file, fileSize: file.count).note
            return note.pools.contains(.daily) && note.day == day
        } catch {
            if case .newer = error { return true }
            return false
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
