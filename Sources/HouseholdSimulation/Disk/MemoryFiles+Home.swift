package import MergeCore
package import ProfileKeeping

/// Hearth's own folder on the simulated disk: backups and quarantined files.
extension MemoryFiles {
    static var home: String { "/hearth/" }

    /// The contents of a profile's backups, the oldest first.
    package func backupContents(of profile: ProfileID) -> [[UInt8]] {
        names(in: Self.folder("backups", profile)).compactMap { name in
            bytes(at: Self.folder("backups", profile) + name).flatMap { MemoryBackup($0)?.content }
        }
    }

    /// Damages the content of a backup, like a bad disk. The damage shows when the backup is read.
    package func damageBackup(_ name: String, of profile: ProfileID) {
        change { disk in
            guard let inode = disk.names[Self.folder("backups", profile) + name] else { return }
            disk.write(.cut(MemoryBackup.headerSize), to: inode)
            disk.sync(inode)
        }
    }

    /// The quarantined files of a profile, in the order of their names.
    package func quarantined(of profile: ProfileID) -> [[UInt8]] {
        let folder = Self.folder("quarantine", profile)
        return names(in: folder).compactMap { bytes(at: folder + $0) }
    }

    // MARK: ProfileFiles

    package func backups(of profile: ProfileID) throws(StorageFault) -> [StoredBackup] {
        try power.look()
        let folder = Self.folder("backups", profile)
        return names(in: folder).map { name in
            guard let backup = bytes(at: folder + name).flatMap({ MemoryBackup($0) }) else {
                let note = BackupNote(time: 0, pools: [])
                return StoredBackup(name: name, note: note, size: nil, condition: .damaged("backup \(name) is damaged"))
            }
            return StoredBackup(name: name, note: backup.note, size: backup.size)
        }
    }

    package func keepBackup(
        _ bytes: [UInt8], of profile: ProfileID, as note: BackupNote
    ) throws(StorageFault) -> String {
        let folder = Self.folder("backups", profile)
        let last = names(in: folder).last.flatMap { Int($0.prefix { $0 != "." }) } ?? 0
        let digits = String(last + 1)
        let name = String(repeating: "0", count: max(0, 10 - digits.count)) + digits + ".backup"
        try power.step(.keepBackup(name))
        try write(MemoryBackup(bytes, note).bytes, as: name, in: folder)
        return name
    }

    package func noteBackup(_ name: String, of profile: ProfileID, as note: BackupNote) throws(StorageFault) {
        let folder = Self.folder("backups", profile)
        try power.step(.keepBackup(name))
        guard let bytes = bytes(at: folder + name) else { throw Self.none(name) }
        guard var backup = MemoryBackup(bytes) else { throw Self.damaged(name) }
        guard backup.note != note else { return try syncFolder(of: folder, as: .home("sync \(folder)")) }
        backup.note = note
        try write(backup.bytes, as: name, in: folder)
    }

    package func readBackup(_ name: String, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8] {
        try power.look()
        guard let bytes = bytes(at: Self.folder("backups", profile) + name) else { throw Self.none(name) }
        guard let backup = MemoryBackup(bytes), let content = backup.content else { throw Self.damaged(name) }
        guard content.count <= limit else { throw StorageFault(.tooLarge, "backup \(name) is over \(limit) bytes") }
        return content
    }

    package func backup(_ name: String, of profile: ProfileID, holds bytes: [UInt8]) -> Bool {
        (try? readBackup(name, of: profile, limit: .max)) == bytes
    }

    package func removeBackups(_ names: [String], of profile: ProfileID) {
        for name in names where has(Self.folder("backups", profile) + name) {
            guard (try? power.step(.home("remove \(name)"))) != nil else { return }
            change { $0.unlink(Self.folder("backups", profile) + name) }
        }
    }

    package func quarantine(
        _ bytes: [UInt8], of profile: ProfileID, named name: String
    ) throws(StorageFault) -> String {
        try Self.check(name)
        try power.step(.quarantine(name))
        let folder = Self.folder("quarantine", profile)
        let plain = String(name.drop { $0 == "." })
        var free = plain
        var number = 1
        while let other = self.bytes(at: folder + free), other != bytes {
            number += 1
            free = "\(plain)-\(number)"
        }
        if has(folder + free) {
            try syncFolder(of: folder, as: .home("sync \(folder)"))
        } else {
            try write(bytes, as: free, in: folder)
        }
        return folder + free
    }

    // MARK: Helpers

    /// Writes a file that is complete and durable, or none.
    private func write(_ bytes: [UInt8], as name: String, in folder: String) throws(StorageFault) {
        let temporary = folder + ".new"
        if has(temporary) {
            try power.step(.home("remove \(temporary)"))
            change { $0.unlink(temporary) }
        }
        try power.step(.home("create \(temporary)"))
        guard let inode = change({ $0.create(temporary) }) else { throw Self.taken(temporary) }
        do throws(StorageFault) {
            try power.step(.home("write \(temporary)"))
            change { $0.write(.put(bytes, at: 0), to: inode) }
            try sync(inode, as: .home("sync \(temporary)"))
            try power.step(.home("rename \(temporary) to \(name)"))
            change { $0.rename(temporary, to: folder + name) }
        } catch {
            if !power.isOff { change { $0.unlink(temporary) } }
            throw error
        }
        try syncFolder(of: folder, as: .home("sync \(folder)"))
    }

    /// The names of the files in a folder, sorted.
    private func names(in folder: String) -> [String] {
        disk.names.keys.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    static func folder(_ kind: String, _ profile: ProfileID) -> String { "\(home)\(kind)/\(profile)/" }

    static func none(_ name: String) -> StorageFault { StorageFault(.other, "there is no backup \(name)") }

    static func damaged(_ name: String) -> StorageFault {
        StorageFault(.damaged, "backup \(name) does not match its checksum")
    }
}
