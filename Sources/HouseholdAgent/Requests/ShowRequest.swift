package import MergeCore

/// Shows a profile's document, or one place of it.
package struct ShowRequest: AgentRequest {
    package static let name = "show"
    package typealias Response = DocumentText

    /// The profile, by name or id.
    package var profile: String
    /// The place, as a JSON Pointer (RFC 6901); none for the whole document.
    package var pointer: String?

    package init(profile: String, pointer: String? = nil) {
        (self.profile, self.pointer) = (profile, pointer)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.show(call, profile, pointer)
    }
}
