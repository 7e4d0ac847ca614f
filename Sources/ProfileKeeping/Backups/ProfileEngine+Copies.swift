package import MergeCore

/// Copies of daily backups: those of this device for others, and those of other devices here.
extension ProfileEngine {
    // MARK: For others

    /// The daily backups of a profile that others may copy, oldest first. Damaged ones are left out.
    ///
    /// - Parameter known: The result of an earlier call. Files whose header has not changed are not read again.
    package func copySources(_ id: ProfileID, known: [CopySource]) throws(StorageFault) -> [CopySource] {
        var sources: [CopySource] = []
        for (backup, day) in CopyPlan.offered(try files.backups(of: id)) {
            if let same = known.first(where: { $0.backup == backup }) {
                sources.append(same)
            } else if let file = try? files.storedBackup(backup.name, of: id) {
                sources.append(CopySource(backup: backup, day: day, fileSize: file.size, checksum: file.checksum))
            }
        }
        return sources
    }

    // MARK: Of others

    /// The copies of a profile on this device, by owner, and for each owner in the order in which they were made.
    ///
    /// - Parameter checking: Whether to read every copy completely, so that damaged ones are known.
    package func copies(_ id: ProfileID, checking: Bool = true) throws(StorageFault) -> [StoredCopy] {
        var copies = try files.copies(of: id).sorted { ($0.owner, $0.number) < ($1.owner, $1.number) }
        guard checking else { return copies }
        for index in copies.indices where copies[index].backup.condition == .good {
            do {
                _ = try document(copies[index], of: id)
            } catch {
                copies[index].backup.condition =
                    error.reason == .locked ? .locked(error.message) : .damaged(error.message)
            }
        }
        return copies
    }

    /// Makes the staged bytes of a device its copy of a day. Copies that it replaces are removed once it is durable.
    ///
    /// - Throws: `.damaged` where the bytes do not have the listed checksum. Then they are dropped, and every kept copy
    ///   stays.
    package func keepCopy(
        _ id: ProfileID, from owner: DeviceID, day: LocalDay, checksum: [UInt8]
    ) throws(StorageFault) {
        try files.keepCopy(from: owner, of: id, day: day, checksum: checksum)
        files.removeCopies(CopyPlan.surplus(try files.copies(of: id), of: owner), of: id)
    }

    /// The content of a backup made here, or of a copy, by its name.
    func backupContent(_ name: String, of id: ProfileID) throws(StorageFault) -> [UInt8] {
        guard name.hasPrefix(StoredCopy.namePrefix) else {
            return try files.readBackup(name, of: id, limit: Self.fileLimit)
        }
        guard let copy = try copiesNewestFirst(id).first(where: { $0.name == name }) else {
            throw StorageFault(.other, "there is no backup \(name); list the backups and give one of their names")
        }
        return try content(copy, of: id)
    }

    /// The newest good copy of the same device, offered instead of a copy that cannot be used.
    func nextGoodCopy(_ id: ProfileID, after name: String) -> String? {
        let all = (try? copiesNewestFirst(id)) ?? []
        guard let owner = all.first(where: { $0.name == name })?.owner else { return nil }
        return all.first { $0.owner == owner && $0.name != name && (try? document($0, of: id)) != nil }?.name
    }

    /// The copies of a profile, the newest first: of two copies of one day, the newer one counts.
    private func copiesNewestFirst(_ id: ProfileID) throws(StorageFault) -> [StoredCopy] {
        try files.copies(of: id).sorted { $0.number > $1.number }
    }

    /// The copy of the newest day that can be used, of any device. Days after today come from a wrong clock, so they
    /// are taken last.
    package func newestGoodCopy(_ id: ProfileID, today: LocalDay?) -> String? {
        func age(_ copy: StoredCopy) -> (Int, LocalDay, WallTime, Int64) {
            let isPast = today.map { copy.day <= $0 } ?? true
            return (isPast ? 1 : 0, copy.day, copy.backup.note.time, copy.number)
        }
        let copies = ((try? files.copies(of: id)) ?? []).sorted { age($0) > age($1) }
        return copies.first { (try? document($0, of: id)) != nil }?.name
    }

    private func document(_ copy: StoredCopy, of id: ProfileID) throws(StorageFault) -> [UInt8] {
        try parsed(try content(copy, of: id), copy.name)
    }

    private func content(_ copy: StoredCopy, of id: ProfileID) throws(StorageFault) -> [UInt8] {
        switch copy.backup.condition {
        case .good: break
        case .damaged(let message): throw StorageFault(.damaged, message)
        case .newer(let message): throw StorageFault(.tooNew, message)
        case .locked(let message): throw StorageFault(.locked, message)
        }
        return try files.readCopy(copy, of: id, limit: Self.fileLimit)
    }
}
