package import MergeCore

/// Backups are made after the change that they precede, at a moment when nobody waits for it.
///
/// At most one of a profile is due. Whatever else is to be kept of it is kept after that one, so that the order in which
/// backups were made stays the order of what they hold.
extension Keeper {
    static var duePrefix: String { "backup-due/" }
    /// Milliseconds that a backup waits, so that what was played reaches the others first.
    package static var backupDelay: Int64 { 200 }
    /// Milliseconds until a backup that could not be made is tried again.
    package static var backupRetry: Int64 { 30_000 }

    /// When ``makeDueBackup(_:now:)`` has something to do.
    package func backupDeadline(_ id: ProfileID) -> Int64? { profiles[id]?.dueBackup?.next }

    /// Makes the backup that is due, where one is. Where that fails, ``KeptProfile/backupTrouble`` says why, and it
    /// stays due.
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

    /// The same in memory and on the disk; the next commit takes the note of it away.
    func makeDueBackup(_ profile: inout KeptProfile) throws(StorageFault) {
        guard let due = profile.dueBackup else { return }
        try keepBackup(due.bytes, of: profile.id, now: due.time)
        profile.backupTrouble = nil
        profile.dueBackup = nil
    }

    /// The newest image is about to give way to another: its backup is due from the next commit on. One that is due
    /// already is made first.
    func oweBackup(_ profile: inout KeptProfile, now: Int64) throws(StorageFault) {
        try makeDueBackup(&profile)
        guard let newest = profile.lineage.newest, let number = profile.lineage.newestNumber else { return }
        profile.dueBackup = DueBackup(image: number, bytes: newest.bytes, time: now, next: now + Self.backupDelay)
    }

    /// The same before a save that the game has made already. It is taken up whether a backup can be made or not; one
    /// that cannot be made stays due, and ``KeptProfile/backupTrouble`` says why.
    func oweBackupOfFormer(_ profile: inout KeptProfile, now: Int64) {
        do { try oweBackup(&profile, now: now) } catch { profile.backupTrouble = error.message }
    }

    /// The newest image gave way to no other: nothing is due of it.
    func forgiveBackup(_ profile: inout KeptProfile) {
        if profile.dueBackup?.image == profile.lineage.newestNumber { profile.dueBackup = nil }
    }

    /// A backup whose image leaves the record with what is committed next is made before.
    func makeBackupThatCannotWait(_ profile: inout KeptProfile) {
        guard let due = profile.dueBackup, !profile.lineage.holds(due.image) else { return }
        do { try makeDueBackup(&profile) } catch { profile.backupTrouble = error.message }
        profile.dueBackup = nil
    }

    func dueNote(_ id: ProfileID) -> String { Self.duePrefix + id.hex }
}
