package import MergeCore

/// The content of a profile file, and when it was last changed.
package struct FileContent: Sendable {
    package var bytes: [UInt8]
    package var modified: WallTime

    package init(bytes: [UInt8], modified: WallTime) {
        self.bytes = bytes
        self.modified = modified
    }
}

/// The file system as profile keeping needs it. Each step of the durability table is one call, so that a test can stop
/// between any two.
///
/// Paths are absolute. Symbolic links are followed; a temporary file is put beside the target that a link leads to.
package protocol ProfileFiles {
    /// Reads a regular file completely; `nil` where nothing is at the path. The size is checked before memory is
    /// allocated.
    func read(_ path: String, limit: Int) throws(StorageFault) -> FileContent?

    /// The identity of the file at a path; `nil` where nothing is there. Opens nothing.
    func identity(of path: String) throws(StorageFault) -> FileIdentity?

    /// The path without any link in it; `nil` where its folder does not exist or it cannot be followed.
    func place(of path: String) -> String?

    /// Whether a path is a symbolic link, also one that leads nowhere.
    func isLink(_ path: String) -> Bool

    /// Another tool that syncs the folder of a path; `nil` where none is recognised.
    func foreignSync(around path: String) -> ForeignSync?

    /// Makes the file at a path durable, content and name. Does nothing where there is no file.
    func sync(_ path: String) throws(StorageFault)

    /// Makes the content of a file beside `path`'s target durable. Does nothing where there is no such file.
    func syncStaged(_ name: String, beside path: String) throws(StorageFault)

    /// Creates `name` beside `path`'s target (O_EXCL, 0600), and writes it. Takes over mode, owner and extended
    /// attributes of the target, if there is one, and syncs the file. Removes the file again where a step fails.
    func stage(_ bytes: [UInt8], as name: String, beside path: String) throws(StorageFault)

    /// Begins to write the next content of `path`'s file, to be staged later, while the caller does something else; `nil`
    /// where there is no such file, or no way to move a draft beside it. There is one draft at a time.
    func draft(_ bytes: [UInt8], for path: String) -> (any FileDraft)?

    /// Removes the draft that a process left that was killed.
    func dropDraft()

    /// Swaps the staged file and the target in one step (RENAME_EXCHANGE, RENAME_SWAP). Afterwards the former file of
    /// the path is at `name`. Returns the identity of the file at the path where it is certain that it is the staged one,
    /// unchanged.
    @discardableResult
    func exchange(_ name: String, with path: String) throws(StorageFault) -> FileIdentity?

    /// Moves the staged file to a path where nothing is (RENAME_NOREPLACE); throws `.changed` where something is.
    func place(_ name: String, at path: String) throws(StorageFault)

    /// Creates the folder of `path` where it does not exist, with its missing parents, durably.
    func makeFolder(of path: String) throws(StorageFault)

    /// Makes the folder of `path`'s target durable.
    func syncFolder(of path: String) throws(StorageFault)

    /// Makes the folders of several paths' targets durable, each folder once.
    func syncFolders(of paths: [String]) throws(StorageFault)

    /// Reads a file beside `path`'s target; `nil` where there is none.
    func readStaged(_ name: String, beside path: String, limit: Int) throws(StorageFault) -> FileContent?

    /// Removes a file beside `path`'s target; no error where there is none.
    func removeStaged(_ name: String, beside path: String) throws(StorageFault)

    /// Names beside `path`'s target that begin with `prefix`, sorted, at most 1,000.
    func stagedNames(beside path: String, prefix: String) -> [String]

    /// Whether some process may still write to the file through a descriptor it opened before.
    func isHeldOpen(_ name: String, beside path: String) -> Bool

    // Backups. The implementation chooses their names; ``BackupPlan`` decides which are kept.

    /// The backups in the profile's folder, in the order in which they were made, at most 10,000. Only notes are read.
    /// So a backup that is good here may still turn out to be damaged when its content is read.
    func backups(of profile: ProfileID) throws(StorageFault) -> [StoredBackup]

    /// Keeps a backup, durably, as the last in the order; returns its name. It is kept completely or not at all.
    func keepBackup(_ bytes: [UInt8], of profile: ProfileID, as note: BackupNote) throws(StorageFault) -> String

    /// Gives a backup another note in one step; throws `.locked` where it is encrypted and the key is not here. Backup
    /// and note are durable when it returns, even where the note has not changed.
    func noteBackup(_ name: String, of profile: ProfileID, as note: BackupNote) throws(StorageFault)

    /// Reads a backup's content and checks it. Throws `.damaged` where it is not what was written, `.tooNew` where a
    /// newer version made it, `.locked` where its key is not here, `.other` where no backup has that name. Sizes are
    /// checked before memory is allocated.
    func readBackup(_ name: String, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8]

    /// Whether a backup holds exactly these bytes; false where it cannot be read.
    func backup(_ name: String, of profile: ProfileID, holds bytes: [UInt8]) -> Bool

    /// Removes backups where that is possible. One that cannot be removed is removed by a later call.
    func removeBackups(_ names: [String], of profile: ProfileID)

    // Copies of daily backups. ``CopyPlan`` decides which are kept.

    /// The size and checksum of a backup's stored file, once its content was read and found good; throws as
    /// ``readBackup(_:of:limit:)`` does.
    func storedBackup(_ name: String, of profile: ProfileID) throws(StorageFault) -> StoredFile

    /// At most `limit` bytes of a backup's stored file; none beyond its end.
    func readStoredBackup(
        _ name: String, of profile: ProfileID, from offset: Int, limit: Int
    ) throws(StorageFault) -> [UInt8]

    /// The copies of a profile's backups that other devices made, in no order, at most 10,000. Only headers are read.
    /// Throws where a folder exists and cannot be listed.
    func copies(of profile: ProfileID) throws(StorageFault) -> [StoredCopy]

    /// Appends to the staged bytes of a device, for one copy at a time; offset 0 starts again. They are no copy before
    /// ``keepCopy(from:of:day:checksum:)``. If it fails, nothing stays staged. Throws `.changed` if the staged bytes do
    /// not end at the offset.
    func stageCopy(_ bytes: [UInt8], at offset: Int, from owner: DeviceID) throws(StorageFault)

    /// Makes the staged bytes of a device a durable copy, the last in the order of that device and profile. It is kept
    /// completely or not at all, and nothing stays staged. Throws `.damaged` where the bytes have another checksum, or
    /// are no daily backup of that day.
    func keepCopy(
        from owner: DeviceID, of profile: ProfileID, day: LocalDay, checksum: [UInt8]
    ) throws(StorageFault)

    /// Reads a copy's content and checks it; throws as ``readBackup(_:of:limit:)`` does.
    func readCopy(_ copy: StoredCopy, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8]

    /// Removes copies where that is possible. One that cannot be removed is removed by a later call.
    func removeCopies(_ copies: [StoredCopy], of profile: ProfileID)

    /// The bytes of all copies of a device's backups, over all profiles.
    func copiesSize(of owner: DeviceID) throws(StorageFault) -> Int64

    /// The room on the disk on which copies are kept.
    func copyRoom() throws(StorageFault) -> DiskRoom

    /// Removes the staged bytes of a device.
    func dropStagedCopy(from owner: DeviceID)

    /// Removes all staged bytes of copies.
    func sweepCopies()

    /// Keeps bytes that are no save in the profile's quarantine folder, durably; returns their path.
    func quarantine(_ bytes: [UInt8], of profile: ProfileID, named name: String) throws(StorageFault) -> String
}
