package import LosslessJSON
package import MergeCore

/// Acts of the player that go beyond an edit: starting over, putting back. Each reaches every device and stays.
extension Keeper {
    /// Starts a part of a profile over.
    ///
    /// - Parameter document: What it starts from; `nil` for nothing. With a regressed save this is "I meant it".
    package mutating func reset(
        _ id: ProfileID, _ cover: EpochCover, scope: String? = nil, to document: JSONDocument? = nil, now: Int64
    ) throws(AdoptFault) {
        try begin(id, now: now) { (state, context) throws(EpochError) in
            try state.reset(cover, scope: scope, to: document, context)
        }
    }

    /// Puts a former document back.
    package mutating func restore(_ id: ProfileID, _ document: JSONDocument, now: Int64) throws(AdoptFault) {
        try begin(id, now: now) { (state, context) throws(EpochError) in try state.restore(document, context) }
    }

    /// Decides a choice that is open, for every device.
    package mutating func decide(
        _ id: ProfileID, _ path: DocumentPath, _ value: JSONValue, now: Int64
    ) throws(AdoptFault) {
        try begin(id, now: now) { (state, context) throws(EpochError) in state.decide(path, value, context) }
    }

    private mutating func begin(
        _ id: ProfileID, now: Int64, _ write: (inout ProfileState, WriteContext) throws(EpochError) -> WriteResult
    ) throws(AdoptFault) {
        guard var profile = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        let context = context(profile, now: now, fileTime: now, base: profile.state.vector)
        do {
            let written = try write(&profile.state, context)
            profile.unreadable = written.unreadable
            profile.pending = nil
            if let newest = profile.lineage.newest { try keepBackup(newest.bytes, of: id, now: now) }
            try commit(&profile, atoms: written.atoms)
        } catch let error as EpochError {
            throw AdoptFault(error.description)
        } catch let error as StorageFault {
            throw AdoptFault(error.message)
        } catch {
            throw AdoptFault("\(error)")
        }
    }
}
