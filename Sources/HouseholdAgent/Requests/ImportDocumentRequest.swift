package import MergeCore

/// Merges a plain document into a profile.
package struct ImportDocumentRequest: AgentRequest {
    package static let name = "importDocument"
    package typealias Response = ImportReport

    /// The absolute path of the document.
    package var path: String
    /// The profile, by name or id.
    package var profile: String
    /// Whether only a report is made.
    package var dryRun: Bool

    package init(path: String, profile: String, dryRun: Bool = false) {
        (self.path, self.profile, self.dryRun) = (path, profile, dryRun)
    }

    package var fault: MemberFault? { .unlessAbsolute(path, "path") }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.transfer(.importDocument(call, self), named: profile, now: now)
    }
}
