package import MergeCore

/// Accepts the last save: it counts on every device, though it held less than before.
package struct AcceptRequest: ActRequest {
    package static let name = "accept"

    /// The profile, by name or id.
    package var profile: String
    /// If the question is about amounts of a purse: whether they count as from a game that had not read the changes of
    /// other devices.
    package var apart: Bool

    package init(profile: String, apart: Bool = false) {
        (self.profile, self.apart) = (profile, apart)
    }

    package func plan<Files, Store>(
        on agent: inout HouseholdAgent<Files, Store>, for call: RequestID, now: Moment
    ) -> PlannedAct? {
        agent.planAccept(call, profile, apart: apart, now: now)
    }
}
