import Crypto
package import MergeCore
package import ProfileKeeping

/// Copies of other devices' daily backups, on the simulated disk.
extension MemoryFiles {
    /// Damages a copy so that it cannot be read, like a bad disk.
    package func damageCopy(_ name: String, of profile: ProfileID) throws {
        for copy in try copies(of: profile) where copy.name == name {
            change { disk in
                guard let inode = disk.names[Self.path(of: copy, profile)] else { return }
                disk.write(.cut(MemoryBackup.headerSize), to: inode)
                disk.sync(inode)
            }
        }
    }

    /// The sizes in bytes of the staged files of copies, by path.
    package var stagedCopies: [String: Int] {
        disk.names.keys.filter { $0.hasPrefix(Self.stagedPrefix) }
            .reduce(into: [:]) { $0[$1] = bytes(at: $1)?.count }
    }

    // MARK: ProfileFiles

    package func storedBackup(_ name: String, of profile: ProfileID) throws(StorageFault) -> StoredFile {
        _ = try readBackup(name, of: profile, limit: .max)
        let file = bytes(at: Self.folder("backups", profile) + name) ?? []
        return StoredFile(size: file.count, checksum: Self.checksum(file))
    }

    package func readStoredBackup(
        _ name: String, of profile: ProfileID, from offset: Int, limit: Int
    ) throws(StorageFault) -> [UInt8] {
        try power.look()
        guard let file = bytes(at: Self.folder("backups", profile) + name) else { throw Self.none(name) }
        return Array(file.dropFirst(offset).prefix(limit))
    }

    package func copies(of profile: ProfileID) throws(StorageFault) -> [StoredCopy] {
        try power.look()
        let folder = Self.folder("copies", profile)
        return disk.names.keys.filter { $0.hasPrefix(folder) }.sorted().compactMap { path in
            let parts = path.dropFirst(folder.count).split(separator: "/")
            let words = parts.last?.split(separator: "-") ?? []
            guard parts.count == 2, words.count == 3, let owner = DeviceID(hex: String(parts[0])),
                let number = Int64(words[0]), let day = UInt32(words[1]).flatMap(LocalDay.init)
            else { return nil }
            let name = StoredCopy.name(owner: owner, day: day)
            var stored = StoredBackup(name: name, note: BackupNote(time: 0, pools: .daily, day: day), size: nil)
            if let backup = bytes(at: path).flatMap({ MemoryBackup($0) }) {
                (stored.note, stored.size) = (backup.note, backup.size)
            } else {
                stored.condition = .damaged("backup \(name) is damaged")
            }
            var copy = StoredCopy(
                number: number, owner: owner, day: day, checksum: Self.bytes(hex: words[2]), backup: stored)
            copy.fileSize = bytes(at: path)?.count ?? 0
            return copy
        }
    }

    package func stageCopy(_ bytes: [UInt8], at offset: Int, from owner: DeviceID) throws(StorageFault) {
        let path = Self.staged(owner)
        if offset == 0 { change { $0.unlink(path) } }
        do throws(StorageFault) {
            try power.step(.home("write \(path)"))
            guard let inode = offset == 0 ? change({ $0.create(path) }) : disk.names[path],
                (self.bytes(at: path)?.count ?? 0) == offset
            else { throw StorageFault(.changed, "\(path) is not what was written there") }
            change { $0.write(.put(bytes, at: offset), to: inode) }
        } catch {
            if !power.isOff { change { $0.unlink(path) } }
            throw error
        }
    }

    package func keepCopy(
        from owner: DeviceID, of profile: ProfileID, day: LocalDay, checksum: [UInt8]
    ) throws(StorageFault) {
        let staged = Self.staged(owner)
        defer { if !power.isOff { change { $0.unlink(staged) } } }
        guard let bytes = bytes(at: staged), let inode = disk.names[staged], Self.checksum(bytes) == checksum,
            let note = MemoryBackup(bytes)?.note, note.pools.contains(.daily), note.day == day
        else { throw StorageFault(.damaged, "what came of the backup of \(day) is not what was listed") }
        let folder = Self.folder("copies", profile) + owner.hex + "/"
        let last = try copies(of: profile).filter { $0.owner == owner }.map(\.number).max() ?? 0
        let copy = StoredCopy(
            number: last + 1, owner: owner, day: day, checksum: checksum,
            backup: StoredBackup(name: "", note: note, size: nil))
        try sync(inode, as: .home("sync \(staged)"))
        try power.step(.home("rename \(staged)"))
        change { $0.rename(staged, to: Self.path(of: copy, profile)) }
        try syncFolder(of: folder, as: .home("sync \(folder)"))
        try syncFolder(of: staged, as: .home("sync \(Self.home)copies"))
    }

    package func readCopy(_ copy: StoredCopy, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8] {
        try power.look()
        guard let file = bytes(at: Self.path(of: copy, profile)) else { throw Self.none(copy.name) }
        guard Self.checksum(file) == copy.checksum, let content = MemoryBackup(file)?.content else {
            throw Self.damaged(copy.name)
        }
        guard content.count <= limit else {
            throw StorageFault(.tooLarge, "backup \(copy.name) is over \(limit) bytes")
        }
        return content
    }

    package func removeCopies(_ copies: [StoredCopy], of profile: ProfileID) {
        for copy in copies where has(Self.path(of: copy, profile)) {
            guard (try? power.step(.home("remove \(copy.name)"))) != nil else { return }
            change { $0.unlink(Self.path(of: copy, profile)) }
        }
    }

    package func sweepCopies() {
        guard !power.isOff else { return }
        for path in stagedCopies.keys.sorted() { change { $0.unlink(path) } }
    }

    package func copiesSize(of owner: DeviceID) throws(StorageFault) -> Int64 {
        try power.look()
        let folder = "/\(owner.hex)/"
        return disk.names.keys.filter { $0.hasPrefix("\(Self.home)copies/") && $0.contains(folder) }
            .reduce(0) { $0 + Int64(bytes(at: $1)?.count ?? 0) }
    }

    package func copyRoom() throws(StorageFault) -> DiskRoom {
        try power.look()
        return room
    }

    package func dropStagedCopy(from owner: DeviceID) {
        if !power.isOff, has(Self.staged(owner)) { change { $0.unlink(Self.staged(owner)) } }
    }

    // MARK: Helpers

    private static var stagedPrefix: String { "\(home)copies/.staged-" }

    private static func staged(_ owner: DeviceID) -> String { stagedPrefix + owner.hex }

    private static func path(of copy: StoredCopy, _ profile: ProfileID) -> String {
        let digits = String(copy.number)
        let number = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        return "\(folder("copies", profile))\(copy.owner.hex)/\(number)-\(copy.day.number)-\(hex(copy.checksum))"
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func bytes(hex text: Substring) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count & ~1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
