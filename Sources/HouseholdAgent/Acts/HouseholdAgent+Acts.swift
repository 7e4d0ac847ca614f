import MergeCore
import ProfileKeeping

/// An act of the player, as it follows from a request.
struct PlannedAct {
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
    /// Answers with what an act would change; nothing is done.
    mutating func preview(_ id: RequestID, _ request: AgentRequest, now: Int64) {
        if case .restore = request { return restore(id, request, isPreview: true, now: now) }
        guard let planned = plan(id, request, now: now), let held = keeper.profiles[planned.profile] else { return }
        do {
            let entry = try keeper.preview(planned.act, on: planned.profile, now: now)
            reply(
                id,
                .preview(
                    PreviewReport(
                        profile: held.name, id: planned.profile.description, step: planned.step.map { Int($0) },
                        changes: entry.changes.map(ChangeReport.init), more: entry.more, movedOn: planned.movedOn,
                        backup: planned.backup, copy: copyReport(of: planned))))
        } catch {
            refuse(id, planned, error)
        }
    }

    /// Performs an act. It counts on every device.
    mutating func perform(_ id: RequestID, _ request: AgentRequest, now: Int64) {
        guard let planned = plan(id, request, now: now) else { return }
        do {
            try keeper.perform(planned.act, on: planned.profile, now: now)
            settle(now: now)
            reply(id, .profile(report(planned.profile), note: "what was there before is in the backups of each device"))
        } catch {
            refuse(id, planned, error)
        }
    }

    /// The act that a request asks for; `nil` where there is none, and then the request has been answered.
    private mutating func plan(_ id: RequestID, _ request: AgentRequest, now: Int64) -> PlannedAct? {
        switch request {
        case .reset(let name, let scope): return planReset(id, name, scope)
        case .restoreBackup(let name, let backup): return planRestore(id, name, backup)
        case .undo(let name, let step, let force): return planUndo(id, name, step, force: force)
        case .accept(let name, let apart): return planAccept(id, name, apart: apart, now: now)
        default:
            reply(id, .failure(.usage, "only reset, restore --backup, undo and accept can be looked at beforehand"))
            return nil
        }
    }

    private mutating func refuse(_ id: RequestID, _ planned: PlannedAct, _ fault: AdoptFault) {
        let name = keeper.profiles[planned.profile]?.name ?? ""
        let what = planned.step.map { "step \($0) of \(name) cannot be taken back: " } ?? ""
        reply(id, .failure(.failed, what + fault.message))
    }
}
