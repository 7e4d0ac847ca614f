package import MergeCore

/// Exports the document of a profile alone.
package struct ExportDocumentRequest: AgentRequest {
    package static let name = "exportDocument"
    package typealias Response = DocumentText

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.transfer(.exportDocument(call), named: profile, now: now)
    }
}
