package import MergeCore

/// Joining many profiles that are new here, as when a device gets all saves of a household: one transaction for as many
/// as came in one piece, not one for each. A transaction of its own costs a profile of 10 KB more than all the rest, for
/// the disk has to confirm it.
///
/// Only a profile that nothing else depends on is joined so: it has no file here, it was joined into no other one, and no
/// other one into it. So the transaction is all that has to be done, and where it fails, nothing is left to undo but
/// memory.
extension ProfileEngine {
    /// Begins to join new profiles. Until ``commitNew()`` nothing of them is durable, and nobody may be told of them.
    package mutating func beginNew() { batch = Batch() }

    /// Joins a profile that is new here, see ``join(_:atoms:from:to:sender:freshReplica:notes:overfull:now:)``.
    ///
    /// - Returns: Whether it is joined. Where it is not, nothing of it was done, and it is to be joined alone, after
    ///   ``commitNew()``: it is not new, others depend on it, or something is out of the ordinary.
    package mutating func joinNew(
        _ id: ProfileID, atoms: [KeyedAtom], from: VersionVector, to: VersionVector, sender: VersionVector?,
        freshReplica: ReplicaID, notes: NoteChange,
        overfull: (_ former: ProfileState, _ new: ProfileState) -> Set<ReplicaID>, now: Moment
    ) -> Bool {
        precondition(batch != nil, "beginNew was not called")
        guard profiles[id] == nil, profiles.joined(into: id).isEmpty, to.entries[freshReplica] == nil,
            !atoms.contains(where: { $0.key == AtomKey(.joined, .latest) })
        else { return false }
        let outcome = try? join(
            id, atoms: atoms, from: from, to: to, sender: sender, freshReplica: freshReplica, notes: notes,
            overfull: overfull, now: now)
        guard outcome == .joined else { return false }
        batch?.new.append(id)
        return true
    }

    /// Makes durable, in one transaction, what was joined since ``beginNew()``. Where this throws, nothing of it is
    /// known here any more, neither in the record nor in memory.
    package mutating func commitNew() throws(StorageFault) {
        let new = batch?.new ?? []
        do throws(StorageFault) {
            try commitBatch()
        } catch {
            for id in new { profiles[id] = nil }
            throw error
        }
    }
}
