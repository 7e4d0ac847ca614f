package import MergeCore

/// Undoes a step of the history.
package struct UndoRequest: ActRequest {
    package static let name = "undo"

    /// The profile, by name or id.
    package var profile: String
    /// The step's number; none for the newest step that was done on this device.
    package var step: Int?
    /// Whether places that have changed again since are taken back as well.
    package var force: Bool

    package init(profile: String, step: Int? = nil, force: Bool = false) {
        (self.profile, self.step, self.force) = (profile, step, force)
    }

    package func plan<Files, Store>(
        on agent: inout HouseholdAgent<Files, Store>, for call: RequestID, now: Moment
    ) -> PlannedAct? {
        agent.planUndo(call, profile, step, force: force)
    }
}
