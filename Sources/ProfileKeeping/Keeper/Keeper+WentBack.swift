import LosslessJSON
package import MergeCore

/// A record that went back in time, or that lost its last writes: what the file holds beyond it may be the very progress
/// that the other devices have already, some of it written by this device under numbers that are free again here.
///
/// So this device writes as a new replica; what the file holds now waits until the household has said what it knows; and
/// what the game saves from now on is an edit of that, and goes out at once. The file is not written to meanwhile.
extension Keeper {
    static var waitPrefix: String { "wait/" }

    /// Begins anew with one profile. Call before ``recover(_:now:)``.
    package mutating func recordWentBack(_ id: ProfileID, freshReplica: ReplicaID) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        profile.replica = freshReplica
        var lineage: Lineage.Change?
        var notes: [String: [UInt8]?] = [:]
        if let path = profile.file {
            let content = try? files.read(path, limit: Self.fileLimit)
            // A file that is as the record has it holds nothing that could be counted twice.
            if content == nil || !Bytes.equal(content?.bytes, profile.lineage.newest?.bytes) {
                if let content, (try? JSONDocument(parsing: content.bytes)) != nil {
                    lineage = profile.lineage.appendGame(content.bytes, vector: profile.state.vector)
                    noteStanding(&profile)
                }
                profile.waitsForOthers = true
                notes[waitNote(id)] = []
            }
        }
        profile.lag = .unknown
        try commit(&profile, lineage: lineage, intent: .clear, notes: notes)
    }

    /// Everybody has said what they know: what the file holds beyond it is taken up, as a copy of which nobody knows what
    /// it has counted already.
    package mutating func takeWaiting(_ id: ProfileID, now: Int64) throws(StorageFault) {
        guard var profile = profiles[id], profile.waitsForOthers else { return }
        var atoms: [KeyedAtom] = []
        var lineage: Lineage.Change?
        if let newest = profile.lineage.newest, let document = profile.document(newest) {
            try keepBackup(newest.bytes, of: &profile, now: now)
            let context = context(profile, now: now, fileTime: now, base: VersionVector())
            let taken = profile.state.adopt(copy: document.current(profile.state.rules) ?? document, context)
            atoms = taken.atoms
            lineage = profile.lineage.raiseNewest(to: profile.state.vector)
        }
        profile.waitsForOthers = false
        profile.lag = .unknown
        try commit(&profile, atoms: atoms, as: .adopt, at: now, lineage: lineage, notes: [waitNote(id): nil])
    }

    func waitNote(_ id: ProfileID) -> String { Self.waitPrefix + id.hex }
}
