import LosslessJSON
package import MergeCore

extension Keeper {
    /// Says for the whole household, and for good, that a profile is kept no more, and lets its file here go.
    package mutating func forget(_ id: ProfileID, now: Int64) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        let context = context(profile, now: now, fileTime: now, base: profile.state.vector)
        let atoms = profile.state.note(.forgotten, .bool(true), context)
        try commit(&profile, atoms: atoms, as: .rules, at: now)
        try letGo(id, now: now)
    }

    /// Keeps a backup of what the file of a forgotten profile holds, and lets the file go; it stays as it is.
    package mutating func letGo(_ id: ProfileID, now: Int64) throws(StorageFault) {
        guard var profile = profiles[id], let path = profile.file else { return }
        // A backup that cannot be made holds up nothing: the file stays.
        if let newest = profile.lineage.newest { try? keepBackup(newest.bytes, of: &profile, now: now) }
        if let content = try? files.read(path, limit: Self.fileLimit) {
            try? keepBackup(content.bytes, of: id, now: now)
        }
        try? leaveDisplaced(id, now: now)
        try unbind(id)
    }
}

extension Keeper {
    /// Forgets a profile's file on this device. The file stays, and the profile is still kept and relayed.
    package mutating func unbind(_ id: ProfileID) throws(StorageFault) {
        guard var profile = profiles[id], profile.file != nil else { return }
        try writeEnd(&profile)
        try? makeDueBackup(&profile)
        profile.dueBackup = nil
        var change = RecordChange.ProfileChange(id)
        change.file = .some(nil)
        change.lineageFrom = .max
        var whole = RecordChange(change)
        whole.notes.updateValue(nil, forKey: dueNote(id))
        try store.commit(whole)
        profile.file = nil
        profile.lineage = Lineage()
        profile.status = .good
        profile.standing = .current
        profiles[id] = profile
    }
}
