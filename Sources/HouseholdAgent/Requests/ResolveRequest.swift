package import MergeCore

/// Decides a waiting choice.
package struct ResolveRequest: AgentRequest {
    package static let name = "resolve"
    package static let needsSettledFiles = true
    package typealias Response = ProfileAnswer

    /// The profile, by name or id.
    package var profile: String
    /// The place, as a JSON Pointer (RFC 6901).
    package var pointer: String
    /// The number of the value, counted from 1 in the order of the ``ConflictReport``.
    package var choice: Int

    package init(profile: String, pointer: String, choice: Int) {
        (self.profile, self.pointer, self.choice) = (profile, pointer, choice)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.resolve(call, profile, pointer, choice, now: now)
    }
}
