import MergeCore
import ProfileKeeping

/// Profiles that the household keeps no more: a lasting note of the profile says so on every device. Files and backups
/// stay, and the note is passed on like all else.
extension HouseholdAgent {
    /// Forgets a profile, on every device, for good.
    mutating func forget(_ id: RequestID, _ name: String, now: Int64) {
        guard let profile = one(named: name, for: id) else { return }
        guard keeper.profiles[profile]?.state.isForgotten == false else {
            return reply(id, .failure(.failed, "\(name) is forgotten already"))
        }
        if differs(profile) { look(profile, now: now) }
        do {
            let report = report(profile)
            try keeper.forget(profile, now: now)
            reply(id, .forgotten(report))
        } catch {
            reply(id, .failure(.failed, error.message))
        }
    }

    /// Lets the files go of profiles that another device has forgotten, and remembers to say so.
    mutating func tickForgotten(now: Int64) {
        for (id, path) in letGo.all where keeper.profile(at: path) != nil { heard(of: id) }
        for id in keeper.ids {
            guard let held = keeper.profiles[id], let path = held.file, held.state.isForgotten else { continue }
            do {
                // Before its file is let go, or a crash between the two would leave it without a word.
                let store = keeper.store
                try letGo.add(id, path) { notes throws(StorageFault) in
                    try store.commit(RecordChange(notes: notes))
                }
                try keeper.letGo(id, now: now)
                let told = ["profile": held.name, "file": path]
                log(.notice, "the household has forgotten a profile; its file stays", told)
            } catch {
                // Tried again with the next event.
                note(error)
            }
        }
    }

    /// The player knows.
    mutating func heard(of id: ProfileID) {
        commit(notes: letGo.heard(of: id))
    }

    /// One sentence for each file that is kept in step no more because another device said so.
    func letGoTroubles() -> [String] {
        letGo.all.map { id, path in
            let held = keeper.profiles[id]
            let device = held?.state.forgottenBy.map { deviceName($0) } ?? "another device"
            let name = held?.name ?? "a save"
            return "\(name) was forgotten on every device, by \(device); \(path) stays as it is, with all "
                + "that was played here, and is kept in step no more; to keep it as a new save: hearth add "
                + "\(ShellWord.quoted(path)); to hear no more of this: hearth remove \(id)"
        }
    }
}
