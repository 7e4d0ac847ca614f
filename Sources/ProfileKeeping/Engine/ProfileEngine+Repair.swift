import LosslessJSON
package import MergeCore

/// The result of taking a writer's own word for writes that another device had relayed.
package enum RepairOutcome: Hashable, Sendable {
    /// The writer says what is here already.
    case agreed
    /// Some atoms were replaced by the writer's. The keys are those under which something else had been said.
    case repaired(differing: [AtomKey])
    /// Nothing was changed. The text is the end of a sentence that says why.
    case refused(String)
}

extension ProfileEngine {
    /// Takes a writer's own word for writes that came from another device
    /// (``MergeCore/ProfileState/repaired(by:spans:as:own:)``), and does what follows from a join. Durable when it
    /// returns. What the file showed goes to the backups, as before every merge; where there is no file, the whole
    /// profile as it was.
    ///
    /// - Parameters:
    ///   - whole: Every atom that the writer holds.
    ///   - sender: The full vector of the writer.
    ///   - spans: The writes that came from others, which the writer covers.
    ///   - own: The replicas as which this device ever wrote.
    ///   - overfull: Told the state before and after: the replicas whose writes make it hold too much.
    ///   - notes: What becomes durable in the same transaction, given the keys under which something else had been
    ///     said.
    ///   - remark: What the player is told about the keys under which something else had been said.
    package mutating func repair(
        _ id: ProfileID, by whole: [KeyedAtom], from sender: VersionVector? = nil, spans: [WriteSpan],
        own: Set<ReplicaID> = [],
        overfull: (_ former: ProfileState, _ new: ProfileState) -> Set<ReplicaID> = { _, _ in [] },
        notes: ([AtomKey]) -> NoteChange = { _ in NoteChange() },
        remark: ([AtomKey]) -> String? = { _ in nil }, now: Moment
    ) throws(StorageFault) -> RepairOutcome {
        guard var profile = profiles[id] else { return .refused("the save is not here any more") }
        let former = profile.state
        let repair = former.repaired(
            by: whole, spans: spans, as: profile.replica, own: own.union([profile.replica]))
        guard !repair.isEmpty else { return .agreed }
        if let reason = repair.state.refusal(of: repair.put) { return .refused(reason) }
        if let reason = repair.state.writersBeyondReads(in: repair.put, upTo: VersionVector()).values.min() {
            return .refused(reason)
        }
        guard overfull(former, repair.state).isEmpty else { return .refused("it would hold more than a save may") }
        // A repair can lower what no join would. Without a file there is no other copy of what was here.
        if profile.baseHistory.newest == nil, let document = Projection.document(of: former) {
            try keepBackup(document.bytes, of: &profile, now: now.wall)
        }
        profile.state = repair.state
        var news = repair.put
        news += try answer(repair.joined, from: sender, own: profile.replica, &profile, now: now)
        profile.file.withdraw(former.places(of: repair.gone))
        if !repair.differing.isEmpty, let words = remark(repair.differing) {
            profile.notices.say(.corrected, about: words, words)
        }
        let written = Set(news.map(\.key))
        let removed = repair.gone.filter { !written.contains($0) }
        try store(&profile, news: news, removed: removed, notes: notes(repair.differing), now: now)
        return .repaired(differing: repair.differing)
    }
}
