import LosslessJSON
package import MergeCore

/// The result of reading a backup.
package enum BackupReading: Hashable, Sendable {
    case document([UInt8])
    /// The backup cannot be used: the reason, and the name of another backup that was read and found good, if there is
    /// one.
    case unusable(StorageFault, next: String?)
}

extension ProfileEngine {
    // MARK: Making

    /// Makes a backup of the profile before it changes. The backup is durable when this returns. If it fails, the
    /// caller must not make the change, or must say that there is no backup of it.
    func keepBackup(_ bytes: [UInt8], of profile: ProfileID, now: WallTime) throws(StorageFault) {
        _ = try keepBackup(bytes, of: profile, .change, day: nil, now: now)
    }

    /// Makes a backup. Those that are still pending are made first.
    mutating func keepBackup(
        _ bytes: [UInt8], of profile: inout KeptProfile, _ occasion: BackupPlan.Occasion = .change, now: WallTime
    ) throws(StorageFault) {
        try makePendingBackups(&profile)
        _ = try keepBackup(bytes, of: profile.id, occasion, day: nil, now: now)
    }

    /// Makes the daily backup if the day has none yet. Call at start, and whenever the local day differs from that of
    /// the last call (at midnight, after a sleep or a flight, after a change of the clock). More calls do no harm.
    /// Returns whether a backup was made or marked.
    ///
    /// The backup holds the last good save that was seen, so read the file before.
    package mutating func dailyBackup(_ id: ProfileID, now: Moment, day: LocalDay) throws(StorageFault) -> Bool {
        guard let newest = profiles[id]?.baseHistory.newest else { return false }
        makePendingBackups(id, now: now)
        do {
            let isMade = try keepBackup(newest.bytes, of: id, .dayPassed, day: day, now: now.wall)
            if isMade { profiles[id]?.backupTrouble = nil }
            return isMade
        } catch {
            profiles[id]?.backupTrouble = error.message
            throw error
        }
    }

    private func keepBackup(
        _ bytes: [UInt8], of profile: ProfileID, _ occasion: BackupPlan.Occasion, day: LocalDay?, now: WallTime
    ) throws(StorageFault) -> Bool {
        let stored = try files.backups(of: profile)
        let plan = BackupPlan(occasion, stored: stored, asked: askedBackups(profile), now: now, day: day) {
            files.backup($0.name, of: profile, holds: bytes)
        }
        guard !plan.pools.isEmpty else { return false }
        if plan.marksNewest, let newest = stored.last {
            // The note is written even if it does not change: the process that made the backup may have been stopped
            // before it was durable.
            try files.noteBackup(newest.name, of: profile, as: newest.note.joined(plan.pools, day: plan.day))
        } else {
            let note = BackupNote(time: now, pools: plan.pools, day: plan.day)
            _ = try files.keepBackup(bytes, of: profile, as: note)
        }
        files.removeBackups(plan.removals, of: profile)
        return true
    }

    /// The names of the backups of saves that the player is asked or told about. They stay until there is an answer.
    private func askedBackups(_ id: ProfileID) -> Set<String> { Set(profiles[id]?.notices.backups ?? []) }

    // MARK: Looking

    /// The backups of a profile in the order in which they were made, the newest last.
    ///
    /// The backup of a save that the player is asked about is pinned until there is an answer.
    ///
    /// - Parameter checking: Whether to read every backup completely, so that damaged ones are known. Otherwise only
    ///   notes are read.
    package func backups(_ id: ProfileID, checking: Bool = true) throws(StorageFault) -> [StoredBackup] {
        var stored = try files.backups(of: id)
        let asked = askedBackups(id)
        for index in stored.indices where asked.contains(stored[index].name) { stored[index].note.isPinned = true }
        guard checking else { return stored }
        for index in stored.indices where stored[index].condition == .good {
            do {
                _ = try document(stored[index].name, of: id)
            } catch {
                stored[index].condition = error.reason == .locked ? .locked(error.message) : .damaged(error.message)
            }
        }
        return stored
    }

    /// Reads a backup that was made here, or a copy. If it cannot be used, the result names another one: the newest
    /// good backup made before it, else the next good one made after it. For a copy, that is the newest good copy of
    /// the same device.
    package func readBackup(_ id: ProfileID, _ name: String) -> BackupReading {
        let fault: StorageFault
        do {
            return .document(try document(name, of: id))
        } catch {
            fault = error
        }
        if name.hasPrefix(StoredCopy.namePrefix) { return .unusable(fault, next: nextGoodCopy(id, after: name)) }
        let others = ((try? files.backups(of: id)) ?? []).filter { $0.condition == .good || $0.name == name }
        let place = others.firstIndex { $0.name == name } ?? others.endIndex
        let next = (others[..<place].reversed() + others[place...].dropFirst()).first {
            (try? document($0.name, of: id)) != nil
        }
        return .unusable(fault, next: next?.name)
    }

    /// The name of the newest backup that can be used; damaged ones are skipped.
    package func newestGoodBackup(_ id: ProfileID) -> String? {
        let stored = (try? files.backups(of: id)) ?? []
        return stored.last { $0.condition == .good && (try? document($0.name, of: id)) != nil }?.name
    }

    /// Pins a backup, so that it is kept until it is unpinned; or unpins it. An unpinned backup counts toward the
    /// limits of its pools again, and is deleted when they are exceeded.
    package func pinBackup(_ id: ProfileID, _ name: String, _ isPinned: Bool) throws(StorageFault) {
        guard let backup = try files.backups(of: id).first(where: { $0.name == name }) else {
            throw StorageFault(.other, "there is no backup \(name); list the backups and give one of their names")
        }
        switch backup.condition {
        case .good: break
        case .damaged(let message): throw StorageFault(.damaged, message)
        case .newer(let message): throw StorageFault(.tooNew, message)
        case .locked(let message): throw StorageFault(.locked, message)
        }
        guard backup.note.isPinned != isPinned else { return }
        var note = backup.note
        note.isPinned = isPinned
        try files.noteBackup(name, of: id, as: note)
    }

    /// The content of a backup; throws where it is no document.
    private func document(_ name: String, of id: ProfileID) throws(StorageFault) -> [UInt8] {
        try parsed(try backupContent(name, of: id), name)
    }

    /// Returns the same bytes; throws `.damaged` if they are no document.
    func parsed(_ bytes: [UInt8], _ name: String) throws(StorageFault) -> [UInt8] {
        do {
            _ = try JSONDocument(parsing: bytes)
        } catch {
            throw StorageFault(.damaged, "backup \(name) is no document: \(error); restore another one")
        }
        return bytes
    }
}
