import LosslessJSON
package import MergeCore

extension ProfileEngine {
    /// Marks the profile as forgotten on every device, for good, and releases its file here.
    package mutating func forget(_ id: ProfileID, now: Moment) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        let atoms = profile.state.note(.forgotten, .bool(true), context)
        try commit(&profile, atoms: atoms, as: .rules, at: now.wall, notes: LeftFile.notes(nil, of: id))
        try release(id, now: now)
    }

    /// Unbinds the file of a forgotten profile, after a backup of its content. The file stays as it is.
    package mutating func release(_ id: ProfileID, now: Moment) throws(StorageFault) {
        guard var profile = profiles[id], let path = profile.file.path else { return }
        // If the backup cannot be made, the file is released all the same, because it stays.
        if let newest = profile.baseHistory.newest { try? keepBackup(newest.bytes, of: &profile, now: now.wall) }
        if let content = try? files.read(path, limit: Self.fileLimit) {
            try? keepBackup(content.bytes, of: id, now: now.wall)
        }
        try? leaveDisplaced(id, now: now)
        try unbind(id)
    }
}

extension ProfileEngine {
    /// Ends the binding of a profile to its file on this device. The file stays. The profile is still kept and sent to
    /// other devices. What the file held is noted, for the time when the profile is bound to it again (``LeftFile``).
    package mutating func unbind(_ id: ProfileID) throws(StorageFault) {
        guard var profile = profiles[id], let path = profile.file.path else { return }
        try profile.read()
        try writeEnd(&profile)
        try? makePendingBackups(&profile)
        profile.pendingBackups = []
        var change = RecordChange.ProfileChange(id)
        change.file = .some(nil)
        change.baseHistoryFrom = .max
        var whole = RecordChange(change)
        whole.notes.store([], after: profiles[id]?.pendingBackups ?? [])
        whole.notes.delete(Self.quarantineNotes.key(id))
        whole.notes.delete(OwnSaves.notes.key(id))
        let left = profile.state.isForgotten ? nil : LeftFile(path: path, profile.baseHistory)
        whole.notes.add(LeftFile.notes(left, of: id))
        profile.endShown(in: &whole.notes)
        try store.commit(whole)
        profile.file.unbind()
        profile.quarantinePrint = nil
        profile.ownSaves = OwnSaves()
        profile.baseHistory = BaseHistory()
        profiles[id] = profile
    }
}
