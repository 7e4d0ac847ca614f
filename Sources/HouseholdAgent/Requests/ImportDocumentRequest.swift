package import MergeCore

/// Merges a plain document into a profile.
package struct ImportDocumentRequest: AgentRequest {
    package static let name = "importDocument"
    package typealias Response = ImportReport

    /// The absolute path of the document.
    package var path: String?
    /// The bytes of the document, in place of its path.
    package var data: Base64Bytes?
    /// The profile, by name or id.
    package var profile: String
    /// Whether only a report is made.
    package var dryRun: Bool

    package init(path: String, profile: String, dryRun: Bool = false) {
        (self.path, self.profile, self.dryRun) = (path, profile, dryRun)
    }

    package init(data: [UInt8], profile: String, dryRun: Bool = false) {
        (self.data, self.profile, self.dryRun) = (Base64Bytes(bytes: data), profile, dryRun)
    }

    package var fault: MemberFault? { ImportedFile.fault(path: path, data: data) }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.transfer(.importDocument(call, self), named: profile, now: now)
    }
}
