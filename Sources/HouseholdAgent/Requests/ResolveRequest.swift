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
    /// The value that the player saw under that number, as JSON text: another one is not taken. `nil` takes whatever has
    /// the number.
    package var value: String?

    package init(profile: String, pointer: String, choice: Int, value: String? = nil) {
        (self.profile, self.pointer, self.choice, self.value) = (profile, pointer, choice, value)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.resolve(call, profile, pointer, choice, seen: value, now: now)
    }
}
