import MergeCore
package import ProfileKeeping
import SyncProtocol

/// A record that was rolled back (an old copy, or lost writes): the household is asked before the file's content is
/// merged.
extension HouseholdAgent {
    /// Prepares all profiles where the record is an old one (``Settings/recordRolledBack``). Call once, before
    /// ``AgentEvent/started(port:)``. Where that cannot be stored, as on a full disk, the agent must not start: it would take
    /// what a file holds for play of its own, and count it twice.
    package mutating func takeOldRecord() throws(StorageFault) {
        guard settings.recordRolledBack else { return }
        for id in engine.ids { try engine.recordRolledBack(id, freshReplica: freshReplica(for: id)) }
        try store(notes: NoteChange(RecordNotes.rolledBack, nil))
    }

    /// Merges the waiting saves once every device of the household has sent its vectors.
    ///
    /// A device that knows no other one goes on waiting. Its record may be from before it was paired, or know only devices
    /// that were removed since: the next one that it is paired with may have what the file holds, and it would count twice.
    mutating func tickWaiting(now: Moment) {
        let waiting = engine.active.filter { engine.profiles[$0]?.waitsForOthers == true }.sorted()
        guard !waiting.isEmpty, port != nil else { return }
        for id in waiting where watches.isSettled(id) && unreached([id]).isEmpty {
            // Where no file is, nothing could count twice.
            if otherMembers.isEmpty, engine.profiles[id]?.file.status != .missing { continue }
            do {
                try engine.takeWaiting(id, now: now)
                log(.notice, "the household has said what it knows", ["profile": engine.profiles[id]!.name])
            } catch {
                note(error)
            }
        }
    }

    /// Whether a save waits for other devices, of which there are none: the player may say that there are none any more.
    func waitsForNobody(_ held: KeptProfile) -> Bool { held.waitsForOthers && otherMembers.isEmpty }

    /// The names of the devices that have not said what they cover. (A device whose word differs from what others said has.)
    private func unreached(_ profiles: [ProfileID]) -> [String] {
        otherMembers.filter { covered(by: $0, profiles) == .behind }.map { name(of: $0.id) }
    }

    /// The reason why a file is not written to for now.
    func waitReason(_ held: KeptProfile) -> String {
        let what = "this device's record is an old one or a copy, so the file is left as it is until "
        if otherMembers.isEmpty {
            return what
                + "a machine that has this save is paired with this one (what both have counts once); if there is "
                + "none any more: hearth keep \(engine.word(held.id))"
        }
        let names = unreached(engine.ids)
        let gone = names.first.map {
            "; if \(names.count == 1 ? "it" : "one of them") is gone for good: hearth unpair \(ShellWord.quoted($0))"
        }
        return what
            + "\(names.isEmpty ? "the household" : names.joined(separator: ", ")) has been reached; what you play "
            + "goes out meanwhile" + (gone ?? "")
    }
}
