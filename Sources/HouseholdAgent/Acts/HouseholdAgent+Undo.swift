import MergeCore
import ProfileKeeping
import SyncProtocol

/// Taking back a step of the history.
extension HouseholdAgent {
    /// Plans to undo the step with a number; without a number the newest step that was done on this device.
    mutating func planUndo(_ id: RequestID, _ name: String, _ number: Int?, force: Bool) -> PlannedAct? {
        guard let profile = one(named: name, for: id), let held = engine.profiles[profile] else { return nil }
        do {
            guard let step = try named(number, held) else {
                if number == nil, let join = try newestStep(of: held, where: { isJoin($0, held) }) {
                    fail(
                        id, .failed,
                        "nothing was played on \(held.name) here since two saves became one, which is step \(join.number); "
                            + "to take that back: hearth undo \(engine.word(profile)) \(join.number)")
                    return nil
                }
                let missing =
                    number.map { "\(held.name) has no step \($0) in its history" }
                    ?? "nothing was done to \(held.name) on this device that could be taken back"
                fail(id, .failed, "\(missing); 'hearth history' lists what there is, with its numbers")
                return nil
            }
            guard !step.entry.isEmpty || step.entry.origin != .decision else {
                let what =
                    "step \(step.number), a decision, changed nothing that was shown here, so there is nothing to take back"
                fail(id, .failed, "\(what); 'hearth history' lists what else there is, with its numbers")
                return nil
            }
            guard step.entry.more == 0 else {
                fail(id, .failed, tooLarge(step, of: profile, held.name))
                return nil
            }
            let visible = force ? step.entry.changes.count : held.state.stillVisible(of: step.entry).count
            return PlannedAct(
                profile: profile, act: .undo(step.entry, force: force), step: step.number,
                movedOn: step.entry.changes.count - visible)
        } catch {
            fail(id, .failed, error.message)
            return nil
        }
    }

    private func named(
        _ number: Int?, _ held: KeptProfile
    ) throws(StorageFault) -> ProfileEngine<Files, Store>.HistoryStep? {
        guard let number else { return try newestStep(of: held) { isOwn($0, held) } }
        return try engine.historyStep(held.id, Int64(number))
    }

    private func newestStep(
        of held: KeptProfile, where isMeant: (ProfileEngine<Files, Store>.HistoryStep) -> Bool
    ) throws(StorageFault) -> ProfileEngine<Files, Store>.HistoryStep? {
        var below = Int64.max
        while true {
            let steps = try engine.history(held.id, below: below, limit: 50)
            if let step = steps.first(where: isMeant) { return step }
            guard let last = steps.last else { return nil }
            below = last.number
        }
    }

    /// Whether a player of this device made two saves one by a step.
    private func isJoin(_ step: ProfileEngine<Files, Store>.HistoryStep, _ held: KeptProfile) -> Bool {
        step.entry.origin == .adopt && step.number > 1 && !step.entry.isEmpty && step.writer == held.replica
    }

    /// Whether a game or the player made a step on this device: a save, or an act. Changes from other devices and the
    /// profile's beginning here do not count: these can be undone only by their number.
    private func isOwn(_ step: ProfileEngine<Files, Store>.HistoryStep, _ held: KeptProfile) -> Bool {
        switch step.entry.origin {
        case .save, .undo: return true
        case .reset, .restore, .decision:
            // Steps of these origins also come from other devices, with the same origin.
            let writer = step.writer
            return writer == held.replica || origins[writer]?.device == signer.key
        // An import writes as this device. What another device sends has that one's writes in it.
        case .merge:
            return ([step.writer] + step.entry.writers).allSatisfy { $0 == held.replica } && !step.entry.isEmpty
        case .adopt, .rules: return false
        }
    }

    private func tooLarge(
        _ step: ProfileEngine<Files, Store>.HistoryStep, of profile: ProfileID, _ name: String
    ) -> String {
        let count = step.entry.changes.count
        let what =
            "step \(step.number) changed \(count + step.entry.more) places, of which \(count) are remembered, so it "
            + "cannot be taken back"
        guard let backup = engine.backup(from: step.entry, of: profile) else {
            return "\(what), and the backups from before it are gone"
        }
        return "\(what); put the backup from before it back: hearth restore \(engine.word(profile)) --backup \(backup)"
    }
}
