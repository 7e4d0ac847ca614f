package import MergeCore

/// Brings one profile, or all, in step with every device that can be reached.
package struct SyncRequest: AgentRequest {
    package static let name = "sync"
    package static let needsRunningAgent = true
    package typealias Response = SyncReport

    /// The profile, by name or id; none for all.
    package var profile: String?

    package init(profile: String? = nil) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.sync(call, profile, now: now)
    }
}
