import MergeCore
import ProfileKeeping
import SyncProtocol

/// A record that was rolled back (an old copy, or lost writes): the household is asked before the file's content is
/// merged.
extension HouseholdAgent {
    mutating func recordRolledBack() {
        log(
            .warning,
            "this device's record is an old one or a copy; it writes as a new replica, and asks the household first")
        do {
            for id in engine.ids { try engine.recordRolledBack(id, freshReplica: freshReplica(for: id)) }
            try store(notes: NoteChange(RecordNotes.rolledBack, nil))
        } catch {
            note(error)
        }
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
