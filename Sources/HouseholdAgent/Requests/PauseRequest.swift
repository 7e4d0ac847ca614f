package import MergeCore

/// Leaves one profile's file, or all files, to the game for a while.
package struct PauseRequest: AgentRequest {
    package static let name = "pause"
    package typealias Response = ProfileList

    /// The profile, by name or id; none for all.
    package var profile: String?

    package init(profile: String? = nil) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.pause(call, profile)
    }
}
