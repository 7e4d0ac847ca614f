package import MergeCore

/// Keeps the household's state: this answers the questions and remarks about the last saves.
package struct KeepRequest: PreviewableRequest {
    package static let name = "keep"
    package static let needsSettledFiles = true
    package typealias Response = ProfileAnswer

    /// The profile, by name or id.
    package var profile: String
    /// The question that the player was shown, by ``PreviewReport/question``: another one is not settled. `nil` settles
    /// whatever is asked.
    package var question: Int64?

    package init(profile: String, question: Int64? = nil) { (self.profile, self.question) = (profile, question) }

    package func preview<Files, Store>(
        _ call: Call<PreviewRequest<Self>>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.previewKeep(call, profile, now: now)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        if agent.stillAsks(question, profile, for: call.id, Self.name) { agent.keep(call, profile, now: now) }
    }
}
