import MergeCore
import ProfileKeeping

/// Forgetting profiles: a lasting note in the profile tells every device that the household no longer keeps it. Files
/// and backups stay. The note is passed on like any other atom.
extension HouseholdAgent {
    /// Forgets a profile, on every device, for good.
    mutating func forget(_ call: Call<ForgetRequest>, _ name: String, now: Moment) {
        guard let profile = one(named: name, for: call.id) else { return }
        guard engine.profiles[profile]?.isForgotten == false else {
            return fail(call.id, .failed, "\(name) is forgotten already")
        }
        if differs(profile) { look(profile, now: now) }
        do {
            let report = report(profile)
            try engine.forget(profile, now: now)
            answer(call) { _ in ForgottenProfile(profile: report) }
        } catch {
            fail(call.id, .failed, error.message)
        }
    }

    /// Stops keeping the files of profiles that another device has forgotten, and remembers to tell the player.
    mutating func tickForgotten(now: Moment) {
        for (id, path) in releasedFiles.all where engine.profile(at: path) != nil { releasedFiles.acknowledged(id) }
        for id in engine.active.sorted() {
            guard let held = engine.profiles[id], let path = held.file.path, held.isForgotten else { continue }
            do {
                // The note comes before the file is released. Otherwise a crash between the two would leave the
                // player without a message about it.
                let store = engine.store
                try releasedFiles.add(id, path) { notes throws(StorageFault) in
                    try store.commit(RecordChange(notes: notes))
                }
                try engine.release(id, now: now)
                let told = ["profile": held.name, "file": path]
                log(.notice, "the household has forgotten a profile; its file stays", told)
            } catch {
                // The next event tries it again.
                note(error)
            }
        }
    }

    /// One sentence for each file that is no longer kept in step because another device has forgotten its profile.
    func releasedFileTroubles() -> [String] {
        releasedFiles.all.map { id, path in
            let held = engine.profiles[id]
            let device = held?.state.forgottenBy.map { deviceName($0) } ?? "another device"
            let name = held?.name ?? "a save"
            return "\(name) was forgotten on every device, by \(device); \(path) stays as it is, with all "
                + "that was played here, and is kept in step no more; to keep it as a new save: hearth add "
                + "\(ShellWord.quoted(path)); to hear no more of this: hearth remove \(id)"
        }
    }
}
