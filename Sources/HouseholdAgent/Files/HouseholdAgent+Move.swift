import MergeCore
import ProfileKeeping

/// Moving a profile: its file is at another path now.
extension HouseholdAgent {
    mutating func move(_ call: Call<MoveRequest>, _ name: String, _ path: String, now: Moment) {
        guard let profile = one(named: name, for: call.id), let held = engine.profiles[profile] else { return }
        guard let former = held.file.path else {
            let restore = "hearth restore \(engine.word(profile)) --to \(ShellWord.quoted(path))"
            let sentence = "\(held.name) has no file on this device; to take it up there: \(restore)"
            return fail(call.id, .failed, sentence)
        }
        if let game = holder(of: profile) {
            return fail(call.id, .failed, "\(game) runs and has \(former) open; end it, then try again")
        }
        if let owner = engine.profile(at: path), owner != profile {
            let owned = "\(path) is profile \(engine.profiles[owner]?.name ?? "") (\(owner)) already"
            return fail(call.id, .failed, "\(owned); if the two are one save: \(joinCommand(profile, at: path))")
        }
        do {
            let remains = try engine.move(profile, to: path, now: now)
            watches.moved(profile)
            if !paused.contains(profile) { look(profile, now: now) }
            let note =
                "\(former) is still there with what was synced last; nobody looks at it any more, so you may delete it"
            answer(call) { ProfileAnswer(profile: $0.report(profile), note: remains ? note : nil) }
        } catch {
            fail(call.id, .failed, "\(error)")
        }
    }
}
