package import MergeCore

/// What stands at a profile file's path.
package struct FileContent: Sendable {
    package var bytes: [UInt8]
    /// Milliseconds since 1970.
    package var modified: Int64

    package init(bytes: [UInt8], modified: Int64) {
        self.bytes = bytes
        self.modified = modified
    }
}

/// The file system as profile keeping needs it: one call a step of the durability table, so that a test can stop
/// between any two.
///
/// Paths are absolute. Symbolic links are followed; a temporary stands beside the target that a link leads to.
package protocol ProfileFiles {
    /// Reads a regular file whole; `nil` where nothing is at the path. The size is checked before anything is allocated.
    func read(_ path: String, limit: Int) throws(StorageFault) -> FileContent?

    /// Makes the file at a path durable as it stands, content and name. Nothing to do where nothing is there.
    func sync(_ path: String) throws(StorageFault)

    /// Makes the content of a file beside `path`'s target durable. Nothing to do where there is none.
    func syncStaged(_ name: String, beside path: String) throws(StorageFault)

    /// Creates `name` beside `path`'s target (O_EXCL, 0600), writes, takes over mode, owner and extended attributes of
    /// the target where there is one, and syncs the file. Removes it again where a step fails.
    func stage(_ bytes: [UInt8], as name: String, beside path: String) throws(StorageFault)

    /// Swaps the staged file and the target in one step (RENAME_EXCHANGE, RENAME_SWAP), so that whatever stood at the
    /// path stands at `name` afterwards.
    func exchange(_ name: String, with path: String) throws(StorageFault)

    /// Moves the staged file to a path where nothing stands (RENAME_NOREPLACE); `.changed` where something does.
    func place(_ name: String, at path: String) throws(StorageFault)

    /// Makes the folder of `path`'s target durable.
    func syncFolder(of path: String) throws(StorageFault)

    /// The same for the targets of several paths, each folder once.
    func syncFolders(of paths: [String]) throws(StorageFault)

    /// Reads a file beside `path`'s target; `nil` where there is none.
    func readStaged(_ name: String, beside path: String, limit: Int) throws(StorageFault) -> FileContent?

    /// Removes a file beside `path`'s target; no error where there is none.
    func removeStaged(_ name: String, beside path: String) throws(StorageFault)

    /// Names beside `path`'s target that begin with `prefix`, sorted, at most 1,000.
    func stagedNames(beside path: String, prefix: String) -> [String]

    /// Whether some process may still write to the file through a descriptor it opened before.
    func isHeldOpen(_ name: String, beside path: String) -> Bool

    // Backups. Names are the port's own; what is to be kept and removed is decided by ``BackupPlan``.

    /// What lies in the profile's backup folder, in the order in which it was made, at most 10,000. Notes are read, not
    /// contents: what is good here may still turn out to be damaged when it is read.
    func backups(of profile: ProfileID) throws(StorageFault) -> [StoredBackup]

    /// Keeps a durable copy behind all others; returns its name. Complete or not at all.
    func keepBackup(_ bytes: [UInt8], of profile: ProfileID, as note: BackupNote) throws(StorageFault) -> String

    /// Gives a backup another note in one step; `.locked` where it is encrypted and the key is not here. Backup and note
    /// are durable when it returns, also where the note is what it was.
    func noteBackup(_ name: String, of profile: ProfileID, as note: BackupNote) throws(StorageFault)

    /// Reads a backup's content and checks it: `.damaged` where it is not what was written, `.tooNew` where a newer
    /// version made it, `.locked` where its key is not here, `.other` where there is none of that name. Sizes are checked before anything is allocated.
    func readBackup(_ name: String, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8]

    /// Whether a backup holds these very bytes; false where it cannot be read.
    func backup(_ name: String, of profile: ProfileID, holds bytes: [UInt8]) -> Bool

    /// Removes backups where that is possible; what is left is removed at the next time.
    func removeBackups(_ names: [String], of profile: ProfileID)

    // Copies of daily backups. Which are kept is decided by ``CopyPlan``.

    /// Size and checksum of a backup's file as it is stored, once its content was read and found good; throws as
    /// ``readBackup(_:of:limit:)`` does.
    func storedBackup(_ name: String, of profile: ProfileID) throws(StorageFault) -> StoredFile

    /// At most `limit` bytes of a backup's file as it is stored; none beyond its end.
    func readStoredBackup(
        _ name: String, of profile: ProfileID, from offset: Int, limit: Int
    ) throws(StorageFault) -> [UInt8]

    /// The copies of a profile's backups that other devices made, in no order, at most 10,000. Headers are read, not
    /// contents. Throws where a folder is there and cannot be looked through.
    func copies(of profile: ProfileID) throws(StorageFault) -> [StoredCopy]

    /// Appends to what is staged of a device, one copy at a time; offset 0 begins anew. Nothing of it counts before
    /// ``keepCopy(from:of:day:checksum:)``. Where it fails nothing is staged any more; `.changed` where what is staged
    /// does not end at the offset.
    func stageCopy(_ bytes: [UInt8], at offset: Int, from owner: DeviceID) throws(StorageFault)

    /// Makes what is staged of a device a durable copy behind all others of that device and profile. Complete or not at
    /// all; nothing is staged afterwards. `.damaged` where it has another checksum, or is no daily backup of that day.
    func keepCopy(
        from owner: DeviceID, of profile: ProfileID, day: LocalDay, checksum: [UInt8]
    ) throws(StorageFault)

    /// Reads a copy's content and checks it; throws as ``readBackup(_:of:limit:)`` does.
    func readCopy(_ copy: StoredCopy, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8]

    /// Removes copies where that is possible; what is left is removed at the next time.
    func removeCopies(_ copies: [StoredCopy], of profile: ProfileID)

    /// Bytes of all copies of a device's backups, of whatever profile.
    func copiesSize(of owner: DeviceID) throws(StorageFault) -> Int64

    /// How much room the disk has that copies are kept on.
    func copyRoom() throws(StorageFault) -> DiskRoom

    /// Removes what is staged of a device.
    func dropStagedCopy(from owner: DeviceID)

    /// Removes whatever is staged of copies.
    func sweepCopies()

    /// Keeps bytes that are no profile in the profile's quarantine folder, durably; returns where.
    func quarantine(_ bytes: [UInt8], of profile: ProfileID, named name: String) throws(StorageFault) -> String
}
