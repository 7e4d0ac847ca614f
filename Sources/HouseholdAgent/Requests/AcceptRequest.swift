package import MergeCore

/// Accepts the last save: it counts on every device, though it held less than before.
package struct AcceptRequest: ActRequest {
    package static let name = "accept"

    /// The profile, by name or id.
    package var profile: String
    /// If the question is about amounts of a purse: whether they count as from a game that had not read the changes of
    /// other devices.
    package var apart: Bool
    /// The question that the player was shown, by ``PreviewReport/question``: another one is not answered. `nil` answers
    /// whatever is asked.
    package var question: Int64?

    package init(profile: String, apart: Bool = false, question: Int64? = nil) {
        (self.profile, self.apart, self.question) = (profile, apart, question)
    }

    package func plan<Files, Store>(
        on agent: inout HouseholdAgent<Files, Store>, for call: RequestID, now: Moment
    ) -> PlannedAct? {
        guard let planned = agent.planAccept(call, profile, apart: apart, now: now),
            agent.stillAsks(question, profile, for: call, Self.name)
        else { return nil }
        return planned
    }
}
