package import MergeCore

/// Resets a scope of a profile.
package struct ResetRequest: ActRequest {
    package static let name = "reset"

    /// The profile, by name or id.
    package var profile: String
    /// The scope; none for all scopes that the rules name, or everything where they name none.
    package var scope: String?

    package init(profile: String, scope: String? = nil) {
        (self.profile, self.scope) = (profile, scope)
    }

    package func plan<Files, Store>(
        on agent: inout HouseholdAgent<Files, Store>, for call: RequestID, now: Moment
    ) -> PlannedAct? {
        agent.planReset(call, profile, scope)
    }
}
