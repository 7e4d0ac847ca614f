import MergeCore
import ProfileKeeping

/// Rounds of looks: every file has its turn, in case events of the file system were lost.
extension HouseholdAgent {
    mutating func tickRounds(now: Moment) {
        watches.beginFirstLooks(now: now.monotonic)
        guard let turn = watches.takeRescan(of: engine.ids, now: now.monotonic) else { return }
        wholeReads.clocksShow(now)
        if turn.isFirst {
            syncTimes.storeSoon()
            act(.watchAnew)
        }
        for id in turn.profiles { noteOpens(id, now: now) }
        for id in turn.profiles where !paused.contains(id) && mayHaveChanged(id, now: now) {
            watches.look(at: id, now: now.monotonic)
        }
        do { try engine.noteShown(turn.profiles) } catch { note(error) }
    }

    /// Whether a look at the file could find something new. Reads it only where the file system does not tell that it is
    /// the one that was read.
    private mutating func mayHaveChanged(_ id: ProfileID, now: Moment) -> Bool {
        guard let path = engine.profiles[id]?.file.path, let before = try? engine.files.identity(of: path) else {
            return needsLook(id)
        }
        // A file that is odd is never noted as read, so it is looked at every time.
        if wholeReads.covers(id, before, now: now.monotonic) { return false }
        let needsLook = needsLook(id)
        if !needsLook, (try? engine.files.identity(of: path)) == before {
            wholeReads.read(id, before, now: now.monotonic)
        } else {
            wholeReads.forget(id)
        }
        return needsLook
    }
}
