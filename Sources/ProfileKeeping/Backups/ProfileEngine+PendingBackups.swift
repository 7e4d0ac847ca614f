package import MergeCore

/// Backups that are made after the change that they precede, when nothing waits for them.
///
/// Any other backup of a profile is made after those that are pending, so that backups are made in the order of their
/// contents.
extension ProfileEngine {
    /// The time that a pending backup waits, so that a change reaches the other devices first.
    package static var backupDelay: Duration { .milliseconds(200) }
    /// The time until a backup that could not be made is tried again.
    package static var backupRetry: Duration { .seconds(30) }
    /// The time between two pending backups, in which other events have their turn.
    package static var backupPause: Duration { .milliseconds(10) }
    /// Most backups of a profile that are pending.
    static var pendingBackupLimit: Int { 8 }

    /// The time when ``makeOldestPendingBackup(_:now:)`` has to be called; `nil` for never.
    package func backupDeadline(_ id: ProfileID) -> MonotonicTime? { profiles[id]?.pendingBackups.first?.next }

    /// Makes the oldest pending backup, if there is one. Where that fails, ``KeptProfile/backupTrouble`` says why, and the
    /// backup stays pending.
    ///
    /// - Returns: Whether one was made.
    @discardableResult
    package mutating func makeOldestPendingBackup(_ id: ProfileID, now: Moment) -> Bool {
        guard var profile = profiles[id], !profile.pendingBackups.isEmpty else { return false }
        do {
            try makeOldestPendingBackup(&profile)
            try commit(&profile)
            return true
        } catch {
            profiles[id]?.backupTrouble = error.message
            profiles[id]?.pendingBackups[0].next = now.monotonic + Self.backupRetry
            return false
        }
    }

    /// Has the oldest pending backup wait a little longer, where its time has come.
    package mutating func postponePendingBackup(_ id: ProfileID, now: Moment) {
        guard let next = backupDeadline(id), next <= now.monotonic else { return }
        profiles[id]?.pendingBackups[0].next = now.monotonic + Self.backupPause
    }

    /// Makes all pending backups, until one fails.
    package mutating func makePendingBackups(_ id: ProfileID, now: Moment) {
        while makeOldestPendingBackup(id, now: now) {}
    }

    /// Makes the oldest pending backup on disk, and clears it in memory. The next commit removes its note from the record.
    private func makeOldestPendingBackup(_ profile: inout KeptProfile) throws(StorageFault) {
        guard let pending = profile.pendingBackups.first else { return }
        try keepBackup(pending.bytes, of: profile.id, now: pending.time)
        profile.backupTrouble = nil
        profile.pendingBackups.removeFirst()
    }

    /// Makes all pending backups on disk, and clears them in memory. The next commit removes the note of the last one from
    /// the record. The other notes are removed at once: a backup that was followed by another one would be made a second
    /// time after a crash.
    mutating func makePendingBackups(_ profile: inout KeptProfile) throws(StorageFault) {
        while let pending = profile.pendingBackups.first {
            try makeOldestPendingBackup(&profile)
            if profile.pendingBackups.isEmpty { return }
            try store.commit(RecordChange(notes: NoteChange(pending.key, nil)))
            profiles[profile.id]?.pendingBackups.removeAll { $0.key == pending.key }
        }
    }

    /// Notes that a backup of the newest snapshot is pending, because another snapshot is about to replace it. The note
    /// becomes durable with the next commit. Where there are too many already, or the oldest one could not be made, that
    /// one is made first.
    func scheduleBackup(_ profile: inout KeptProfile, now: Moment) throws(StorageFault) {
        try makeRoomForPendingBackup(&profile)
        addPendingBackup(&profile, now: now)
    }

    /// Plans the backup of what stood in the file before the save that the game has made already. The save is read even if
    /// a former pending backup cannot be made. Then that backup stays pending, and ``KeptProfile/backupTrouble`` says why.
    func scheduleBackupOfFormer(_ profile: inout KeptProfile, now: Moment) {
        do { try makeRoomForPendingBackup(&profile) } catch { profile.backupTrouble = error.message }
        if profile.pendingBackups.count < Self.pendingBackupLimit { addPendingBackup(&profile, now: now) }
    }

    private func makeRoomForPendingBackup(_ profile: inout KeptProfile) throws(StorageFault) {
        if profile.backupTrouble != nil || profile.pendingBackups.count >= Self.pendingBackupLimit {
            try makeOldestPendingBackup(&profile)
        }
    }

    private func addPendingBackup(_ profile: inout KeptProfile, now: Moment) {
        guard let newest = profile.baseHistory.newest, let number = profile.baseHistory.newestNumber,
            profile.pendingBackups.last?.snapshot != number
        else { return }
        profile.pendingBackups.append(
            PendingBackup(
                of: profile.id, snapshot: number, bytes: newest.bytes, time: now.wall,
                next: now.monotonic + Self.backupDelay))
    }

    /// Clears the pending backup of the newest snapshot, when no other snapshot replaced it after all.
    func cancelBackup(_ profile: inout KeptProfile) {
        if profile.pendingBackups.last?.snapshot == profile.baseHistory.newestNumber {
            _ = profile.pendingBackups.popLast()
        }
    }
}
