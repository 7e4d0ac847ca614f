package import MergeCore

/// Explains why a place shows its value.
package struct ExplainRequest: AgentRequest {
    package static let name = "explain"
    package typealias Response = ExplainReport

    /// The profile, by name or id.
    package var profile: String
    /// The place, as a JSON Pointer (RFC 6901).
    package var pointer: String

    package init(profile: String, pointer: String) {
        (self.profile, self.pointer) = (profile, pointer)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.explain(call, profile, pointer)
    }
}
