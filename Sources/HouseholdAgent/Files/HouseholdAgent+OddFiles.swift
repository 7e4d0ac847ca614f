import MergeCore
import ProfileKeeping

/// Files that are no save: after a while in which nobody wrote, what is known takes their place.
extension HouseholdAgent {
    /// When that is to be done; `nil` while its game runs, the player paused it, or somebody is writing.
    func oddDeadline(_ id: ProfileID) -> Int64? {
        guard let due = keeper.oddDeadline(id), !paused.contains(id), holder(of: id) == nil,
            watches.isSettled(id)
        else { return nil }
        return max(due, watches.retryAt(id) ?? due)
    }

    mutating func tickOddFile(_ id: ProfileID, now: Int64) {
        guard let due = oddDeadline(id), due <= now else { return }
        if games.hasProcess(id, in: keeper.profiles) { lookAtProcesses(now: now) }
        guard oddDeadline(id) != nil else { return }
        do {
            try putBack(id, now: now)
        } catch {
            watches.retryLater(id, now: now)
            log(.warning, "the last good state cannot be put back", ["why": error.message])
        }
    }

    /// Puts the last good state in the place of what is no save. Nothing happens where another thing stands there.
    mutating func putBack(_ id: ProfileID, now: Int64) throws(StorageFault) {
        guard try keeper.putBack(id, now: now) else { return lookAgain(id, now: now) }
        watches.retryNow(id)
        settle(now: now)
        let held = keeper.profiles[id]
        log(.warning, "the last good state was put back", ["profile": held?.name ?? "", "why": held?.remark ?? ""])
    }
}
