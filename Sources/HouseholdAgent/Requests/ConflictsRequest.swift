package import MergeCore

/// Lists the choices that wait for the player, of one profile or of all.
package struct ConflictsRequest: AgentRequest {
    package static let name = "conflicts"
    package typealias Response = ConflictList

    /// The profile, by name or id; none for all.
    package var profile: String?

    package init(profile: String? = nil) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.conflicts(call, profile)
    }
}
