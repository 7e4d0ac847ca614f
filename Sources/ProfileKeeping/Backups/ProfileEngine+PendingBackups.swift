package import MergeCore

/// Backups that are made after the change that they precede, when nothing waits for them.
///
/// At most one backup of a profile is pending. Any other backup of the profile is made after it, so that backups are
/// made in the order of their contents.
extension ProfileEngine {
    static var pendingBackupNotes: NoteSpace { NoteSpace("pending-backup") }
    /// The time that a pending backup waits, so that a change reaches the other devices first.
    package static var backupDelay: Duration { .milliseconds(200) }
    /// The time until a backup that could not be made is tried again.
    package static var backupRetry: Duration { .seconds(30) }

    /// The time when ``makePendingBackup(_:now:)`` has to be called; `nil` for never.
    package func backupDeadline(_ id: ProfileID) -> MonotonicTime? { profiles[id]?.pendingBackup?.next }

    /// Makes the pending backup, if there is one. Where that fails, ``KeptProfile/backupTrouble`` says why, and the
    /// backup stays pending.
    package mutating func makePendingBackup(_ id: ProfileID, now: Moment) {
        guard var profile = profiles[id], profile.pendingBackup != nil else { return }
        do {
            try makePendingBackup(&profile)
            try commit(&profile)
        } catch {
            profiles[id]?.backupTrouble = error.message
            profiles[id]?.pendingBackup?.next = now.monotonic + Self.backupRetry
        }
    }

    /// Makes the pending backup on disk, and clears it in memory. The next commit removes its note from the record.
    func makePendingBackup(_ profile: inout KeptProfile) throws(StorageFault) {
        guard let pending = profile.pendingBackup else { return }
        try keepBackup(pending.bytes, of: profile.id, now: pending.time)
        profile.backupTrouble = nil
        profile.pendingBackup = nil
    }

    /// Notes that a backup of the newest snapshot is pending, because another snapshot is about to replace it. The note
    /// becomes durable with the next commit. A backup that is pending already is made first.
    func scheduleBackup(_ profile: inout KeptProfile, now: Moment) throws(StorageFault) {
        try makePendingBackup(&profile)
        guard let newest = profile.baseHistory.newest, let number = profile.baseHistory.newestNumber else { return }
        profile.pendingBackup = PendingBackup(
            snapshot: number, bytes: newest.bytes, time: now.wall, next: now.monotonic + Self.backupDelay)
    }

    /// Does the same for a save that the game has made already. The save is read even if the former pending backup
    /// cannot be made. Then that backup stays pending, and ``KeptProfile/backupTrouble`` says why.
    func scheduleBackupOfFormer(_ profile: inout KeptProfile, now: Moment) {
        do { try scheduleBackup(&profile, now: now) } catch { profile.backupTrouble = error.message }
    }

    /// Clears the pending backup of the newest snapshot, when no other snapshot replaced it after all.
    func cancelBackup(_ profile: inout KeptProfile) {
        if profile.pendingBackup?.snapshot == profile.baseHistory.newestNumber { profile.pendingBackup = nil }
    }

    /// Makes the pending backup at once if the next commit removes its snapshot from the record.
    func makeBackupThatCannotWait(_ profile: inout KeptProfile) {
        guard let pending = profile.pendingBackup, !profile.baseHistory.holds(pending.snapshot) else { return }
        do { try makePendingBackup(&profile) } catch { profile.backupTrouble = error.message }
        profile.pendingBackup = nil
    }
}
