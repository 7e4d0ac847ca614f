import MergeCore
import ProfileKeeping

/// An act of the player, as it follows from a request.
package struct PlannedAct {
    var profile: ProfileID
    var act: PlayerAct
    /// The number of the history's step that is undone.
    var step: Int64?
    /// The number of places that an undo leaves as they are, because they have changed again since.
    var movedOn = 0
    /// For a restore: the name of the backup.
    var backup: String?
}

/// Acts of the player that are more than an edit. All of them can be previewed and performed in the same way.
extension HouseholdAgent {
    /// Answers with the changes that an act would make; nothing is done.
    mutating func preview<Act: ActRequest>(_ planned: PlannedAct, _ call: Call<PreviewRequest<Act>>, now: Moment) {
        guard let held = engine.profiles[planned.profile], !isForgotten(held, for: call.id) else { return }
        do {
            let entry = try engine.preview(planned.act, on: planned.profile, now: now)
            let report = PreviewReport(
                profile: held.name, id: planned.profile.description, step: planned.step.map { Int($0) },
                changes: entry.changes.map(ChangeReport.init), more: entry.more, movedOn: planned.movedOn,
                backup: planned.backup, copy: copyReport(of: planned), question: questionMark(held),
                asked: planned.act.subject)
            answer(call) { _ in report }
        } catch {
            refuse(call.id, planned, error)
        }
    }

    /// Performs an act. It counts on every device.
    mutating func perform<Act: ActRequest>(_ planned: PlannedAct, _ call: Call<Act>, now: Moment) {
        guard let held = engine.profiles[planned.profile], !isForgotten(held, for: call.id) else { return }
        do {
            try engine.perform(planned.act, on: planned.profile, now: now)
            let note = "what was there before is in the backups of each device"
            answer(call) { ProfileAnswer(profile: $0.report(planned.profile), note: note) }
        } catch {
            refuse(call.id, planned, error)
        }
    }

    /// Whether a profile was forgotten: no file shows it any more, so no act on it would change one. Then the request has
    /// been answered.
    private mutating func isForgotten(_ held: KeptProfile, for id: RequestID) -> Bool {
        guard held.isForgotten else { return false }
        fail(
            id, .failed,
            "\(held.name) was forgotten, on every machine, so no file would change; a backup of it as a file again: "
                + "hearth show \(held.id) --backup NAME > FILE")
        return true
    }

    private mutating func refuse(_ id: RequestID, _ planned: PlannedAct, _ fault: AdoptFault) {
        let name = engine.profiles[planned.profile]?.name ?? ""
        let what = planned.step.map { "step \($0) of \(name) cannot be taken back: " } ?? ""
        fail(id, .failed, what + fault.message)
    }
}

extension PlayerAct {
    /// The subject of the question that the act answers, where that is about amounts.
    fileprivate var subject: KeptReport.Kind? {
        switch self {
        case .settle: .amounts
        case .countOnce: .savedTwice
        case .reset, .restore, .undo, .decide: nil
        }
    }
}
