import MergeCore
import ProfileKeeping

/// Pausing: playing without sync for a while. The file of a paused profile belongs to its game alone.
///
/// The file is neither read nor written, as if no agent ran. Changes of other devices are still kept and passed on, so
/// no device waits for this one. Resuming reads everything that was played meanwhile, with the base that it had.
extension HouseholdAgent {
    /// Pauses a profile, or all that have a file here.
    mutating func pause(_ call: Call<PauseRequest>, _ name: String?) {
        guard let chosen = withFile(name, for: call.id) else { return }
        // Saves from before the pause are part of the sync already.
        guard set(chosen, isPaused: true, for: call.id) else { return }
        answer(call) { ProfileList(profiles: $0.reports(chosen)) }
    }

    /// Ends the pause of a profile, or of all.
    mutating func resume(_ call: Call<ResumeRequest>, _ name: String?, now: Moment) {
        guard let chosen = withFile(name, for: call.id) else { return }
        guard set(chosen, isPaused: false, for: call.id) else { return }
        for profile in chosen { watches.look(at: profile, .unsure, now: now.monotonic) }
        copySender.listAgain(chosen)
        answer(call) { ProfileList(profiles: $0.reports(chosen)) }
    }

    private mutating func withFile(_ name: String?, for id: RequestID) -> [ProfileID]? {
        let held = engine.profiles
        guard let name else { return engine.ids.filter { held[$0]?.file.path != nil } }
        guard let profile = one(named: name, for: id) else { return nil }
        guard held[profile]?.file.path != nil else {
            fail(id, .failed, "\(name) has no file on this device; there is nothing to pause")
            return nil
        }
        return [profile]
    }

    private mutating func set(_ chosen: [ProfileID], isPaused: Bool, for id: RequestID) -> Bool {
        do {
            let store = engine.store
            try paused.set(chosen, isPaused: isPaused) { notes throws(StorageFault) in
                try store.commit(RecordChange(notes: notes))
            }
            return true
        } catch {
            fail(id, .failed, error.message)
            return false
        }
    }

    private func reports(_ chosen: [ProfileID]) -> [ProfileReport] {
        let reachable = reachableMembers
        var all: [ProfileReport] = []
        for profile in chosen { all.append(report(profile, among: reachable)) }
        return all
    }
}
