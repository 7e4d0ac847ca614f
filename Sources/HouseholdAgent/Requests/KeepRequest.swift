package import MergeCore

/// Keeps the household's state: this answers the questions and remarks about the last saves.
package struct KeepRequest: PreviewableRequest {
    package static let name = "keep"
    package static let needsSettledFiles = true
    package typealias Response = ProfileAnswer

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func preview<Files, Store>(
        _ call: Call<PreviewRequest<Self>>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.previewKeep(call, profile, now: now)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.keep(call, profile, now: now)
    }
}
