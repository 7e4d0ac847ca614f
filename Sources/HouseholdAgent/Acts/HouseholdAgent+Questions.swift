import LosslessJSON
import MergeCore
import ProfileKeeping

/// The answers to what a save left open: it counts, or what the household has stays.
extension HouseholdAgent {
    /// What the game saved last is where everybody goes on from, though it held less than before; or amounts of a purse
    /// are counted as the player says.
    mutating func planAccept(_ id: RequestID, _ name: String, apart: Bool, now: Int64) -> PlannedAct? {
        guard let profile = one(named: name, for: id) else { return nil }
        if differs(profile) { look(profile, now: now) }
        guard let held = keeper.profiles[profile] else { return nil }
        if case .bad(let why) = held.status {
            reply(id, .failure(.failed, why))
            return nil
        }
        if let question = held.words.question, case .purse = question.reason {
            return PlannedAct(profile: profile, act: .settle(question, isRead: !apart))
        }
        guard !apart else {
            let why = "no amounts of \(held.name) are asked about; leave --apart out to accept its last save"
            reply(id, .failure(.usage, why))
            return nil
        }
        // Without a question it would be a reset to what this machine happened to save last.
        guard let question = held.words.question else {
            reply(id, .failure(.failed, nothingAsked(held)))
            return nil
        }
        // The last save is another one by now, and counts already.
        if question.isOvertaken {
            reply(id, .failure(.failed, question.sentence(keeper.word(profile))))
            return nil
        }
        guard let save = held.lineage.candidates.last(where: { $0.kind == .game }),
            let document = try? JSONDocument(parsing: save.bytes)
        else {
            let why = "no game has saved \(held.name) on this device yet, so there is nothing to accept"
            reply(id, .failure(.failed, why))
            return nil
        }
        // Not as a reset: what the save does not hold is gone, and does not start from nothing (a counter from 0).
        return PlannedAct(profile: profile, act: .restore(document))
    }

    /// That no save waits for an answer, and what there is to do instead.
    private func nothingAsked(_ held: KeptProfile) -> String {
        let name = keeper.word(held.id)
        let nothing = "nothing is asked about the saves of \(held.name), so there is nothing to accept"
        if !held.state.openChoices.isEmpty { return "\(nothing); a choice waits for you: hearth conflicts \(name)" }
        return "\(nothing); to begin anew on every machine: hearth reset \(name); "
            + "to go back to an earlier state: hearth backups \(name)"
    }

    /// What the household has stays, and what was said about the last saves is settled. The saves stay in the backups.
    mutating func keep(_ id: RequestID, _ name: String) {
        guard let profile = one(named: name, for: id), let held = keeper.profiles[profile] else { return }
        guard !held.words.isEmpty else {
            return reply(id, .failure(.failed, "nothing is asked or said about the saves of \(held.name)"))
        }
        do {
            try keeper.keepState(profile)
            reply(id, .profile(report(profile), note: "the save that was asked about stays among the backups"))
        } catch {
            reply(id, .failure(.failed, error.message))
        }
    }
}
