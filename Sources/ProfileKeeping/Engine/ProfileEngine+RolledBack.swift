import LosslessJSON
package import MergeCore

/// A record that was rolled back, or lost its last writes. The file may hold more than the record, and the other
/// devices may have that progress already. Some of it may come from this device's own writes, under sequence numbers
/// that are free again here.
///
/// So this device writes as a new replica. What the file holds now waits until the other devices have sent their state.
/// What the game saves from now on is an edit of that content, and is sent at once. Hearth does not write to the file
/// meanwhile.
extension ProfileEngine {
    static var waitNotes: NoteSpace { NoteSpace("waits-for-others") }

    /// Prepares one profile for this. Call before ``recover(_:now:)``.
    package mutating func recordRolledBack(_ id: ProfileID, freshReplica: ReplicaID) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        profile.replica = freshReplica
        var baseHistory: BaseHistory.Change?
        var notes = NoteChange()
        if let path = profile.file.path {
            let content = try? files.read(path, limit: Self.fileLimit)
            // A file that is equal to the record's snapshot holds nothing that could be counted twice.
            if content == nil || !Bytes.equal(content?.bytes, profile.baseHistory.newest?.bytes) {
                if let content, (try? JSONDocument(parsing: content.bytes)) != nil {
                    baseHistory = profile.baseHistory.appendGame(content.bytes, vector: profile.state.vector)
                    profile.noteVersionStatus()
                }
                profile.waitsForOthers = true
                notes.set(Self.waitNotes.key(id), [])
            }
        } else {
            // A file that it was let go from may have been played, and sent, since.
            notes.add(LeftFile.notes(nil, of: id))
        }
        // The record may come from another machine, on which other programs look at files.
        profile.ownSaves = OwnSaves()
        notes.delete(OwnSaves.notes.key(id))
        profile.file.compareAll()
        try commit(&profile, baseHistory: baseHistory, intent: .clear, notes: notes)
    }

    /// Merges what the file holds beyond the state, once all devices have sent their state. It is merged as a copy, so
    /// that no counter is added twice (``ProfileState/adopt(copy:_:)``).
    package mutating func takeWaiting(_ id: ProfileID, now: Moment) throws(StorageFault) {
        guard var profile = profiles[id], profile.waitsForOthers else { return }
        var atoms: [KeyedAtom] = []
        var baseHistory: BaseHistory.Change?
        if let newest = profile.baseHistory.newest, let document = profile.document(newest) {
            try keepBackup(newest.bytes, of: &profile, now: now.wall)
            let context = context(profile, now: now.wall, fileTime: now.wall, base: VersionVector())
            let taken = profile.state.adopt(copy: document.current(profile.state.rules) ?? document, context)
            atoms = taken.atoms
            baseHistory = profile.baseHistory.raiseNewest(to: profile.state.vector)
        }
        profile.waitsForOthers = false
        profile.file.compareAll()
        try commit(
            &profile, atoms: atoms, as: .adopt, at: now.wall, baseHistory: baseHistory,
            notes: NoteChange(Self.waitNotes.key(id), nil))
    }
}
