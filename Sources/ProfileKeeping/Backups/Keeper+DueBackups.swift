package import MergeCore

/// Backups that are made after the change that they precede, at a moment when nobody waits for it.
///
/// At most one backup of a profile is due. Any other backup of the profile is made after it, so that backups are made
/// in the order of their contents.
extension Keeper {
    static var duePrefix: String { "backup-due/" }
    /// Milliseconds that a due backup waits, so that a change reaches the other devices first.
    package static var backupDelay: Int64 { 200 }
    /// Milliseconds until a backup that could not be made is tried again.
    package static var backupRetry: Int64 { 30_000 }

    /// The time at which ``makeDueBackup(_:now:)`` has something to do; `nil` for never.
    package func backupDeadline(_ id: ProfileID) -> Int64? { profiles[id]?.dueBackup?.next }

    /// Makes the backup that is due, if one is. Where that fails, ``KeptProfile/backupTrouble`` says why, and the
    /// backup stays due.
    package mutating func makeDueBackup(_ id: ProfileID, now: Int64) {
        guard var profile = profiles[id], profile.dueBackup != nil else { return }
        do {
            try makeDueBackup(&profile)
            try commit(&profile)
        } catch {
            profiles[id]?.backupTrouble = error.message
            profiles[id]?.dueBackup?.next = now + Self.backupRetry
        }
    }

    /// Makes the due backup on disk, and clears it in memory. The next commit removes its note from the record.
    func makeDueBackup(_ profile: inout KeptProfile) throws(StorageFault) {
        guard let due = profile.dueBackup else { return }
        try keepBackup(due.bytes, of: profile.id, now: due.time)
        profile.backupTrouble = nil
        profile.dueBackup = nil
    }

    /// Notes that a backup of the newest image is due, because another image is about to replace it. The note becomes
    /// durable with the next commit. A backup that is due already is made first.
    func oweBackup(_ profile: inout KeptProfile, now: Int64) throws(StorageFault) {
        try makeDueBackup(&profile)
        guard let newest = profile.lineage.newest, let number = profile.lineage.newestNumber else { return }
        profile.dueBackup = DueBackup(image: number, bytes: newest.bytes, time: now, next: now + Self.backupDelay)
    }

    /// Does the same for a save that the game has made already. The save is taken up whether or not the former due
    /// backup can be made. If it cannot, it stays due, and ``KeptProfile/backupTrouble`` says why.
    func oweBackupOfFormer(_ profile: inout KeptProfile, now: Int64) {
        do { try oweBackup(&profile, now: now) } catch { profile.backupTrouble = error.message }
    }

    /// Clears the due backup of the newest image, when no other image replaced it after all.
    func forgiveBackup(_ profile: inout KeptProfile) {
        if profile.dueBackup?.image == profile.lineage.newestNumber { profile.dueBackup = nil }
    }

    /// Makes the due backup at once if the next commit removes its image from the record.
    func makeBackupThatCannotWait(_ profile: inout KeptProfile) {
        guard let due = profile.dueBackup, !profile.lineage.holds(due.image) else { return }
        do { try makeDueBackup(&profile) } catch { profile.backupTrouble = error.message }
        profile.dueBackup = nil
    }

    func dueNote(_ id: ProfileID) -> String { Self.duePrefix + id.hex }
}
