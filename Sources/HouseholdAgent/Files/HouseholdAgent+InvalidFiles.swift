import MergeCore
import ProfileKeeping

/// Invalid files: what is at a profile's path is no save. If it looks like a write that did not finish, the last known
/// state replaces it after a while without writes.
extension HouseholdAgent {
    /// The time of that replacement; `nil` while the profile's game runs, the player has paused it, or a program is
    /// writing the file.
    func invalidFileDeadline(_ id: ProfileID) -> MonotonicTime? {
        guard let due = engine.invalidFileDeadline(id), !paused.contains(id), holder(of: id) == nil,
            watches.isSettled(id)
        else { return nil }
        return max(due, watches.retryAt(id) ?? due)
    }

    mutating func tickInvalidFile(_ id: ProfileID, now: Moment) {
        guard let due = invalidFileDeadline(id), due <= now.monotonic else { return }
        if games.hasProcess(id, in: engine.profiles) { lookAtProcesses(now: now) }
        guard invalidFileDeadline(id) != nil else { return }
        do {
            try putBack(id, now: now)
        } catch {
            watches.retryLater(id, now: now.monotonic)
            log(.warning, "the last good state cannot be put back", ["why": error.message])
        }
    }

    /// Replaces an invalid file by the last good state. Does nothing if the file has other content now.
    mutating func putBack(_ id: ProfileID, now: Moment) throws(StorageFault) {
        guard try engine.putBack(id, now: now) else { return lookAgain(id, now: now) }
        watches.retryNow(id)
        afterSettling { agent in
            let held = agent.engine.profiles[id]
            let told = ["profile": held?.name ?? "", "why": held?.remark ?? ""]
            agent.log(.warning, "the last good state was put back", told)
        }
    }
}
