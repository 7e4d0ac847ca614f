package import MergeCore

/// Shows a profile's document or a backup of it, or one place of that.
package struct ShowRequest: AgentRequest {
    package static let name = "show"
    package typealias Response = DocumentText

    /// The profile, by name or id.
    package var profile: String
    /// The place, as a JSON Pointer (RFC 6901); none for the whole document.
    package var pointer: String?
    /// The name of a backup, to be shown in place of the document. Also one of a profile that was forgotten.
    package var backup: String?

    package init(profile: String, pointer: String? = nil, backup: String? = nil) {
        (self.profile, self.pointer, self.backup) = (profile, pointer, backup)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.show(call, profile, pointer, backup)
    }
}
