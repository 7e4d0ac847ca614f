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

    /// Merges the waiting saves once every device of the household has sent its vectors, or if there is no other
    /// device.
    mutating func tickWaiting(now: Moment) {
        let waiting = engine.active.filter { engine.profiles[$0]?.waitsForOthers == true }.sorted()
        guard !waiting.isEmpty, household.roster.members.count <= 1 || port != nil else { return }
        for id in waiting where watches.isSettled(id) && unreached([id]).isEmpty {
            do {
                try engine.takeWaiting(id, now: now)
                log(.notice, "the household has said what it knows", ["profile": engine.profiles[id]!.name])
            } catch {
                note(error)
            }
        }
    }

    /// The names of the devices that have not said what they cover. (A device whose word differs from what others said has.)
    private func unreached(_ profiles: [ProfileID]) -> [String] {
        otherMembers.filter { covered(by: $0, profiles) == .behind }.map { name(of: $0.id) }
    }

    /// The reason why a file is not written to for now.
    var waitReason: String {
        let names = unreached(engine.ids).joined(separator: ", ")
        return
            "this device's record is an old one or a copy, so the file is left as it is until "
            + "\(names.isEmpty ? "the household" : names) has been reached; what you play goes out meanwhile"
    }
}
