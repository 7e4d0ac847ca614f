package import MergeCore

/// Exports the whole profile as a signed transfer file.
package struct ExportRequest: AgentRequest {
    package static let name = "export"
    package typealias Response = ExportedTransfer

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.transfer(.export(call), named: profile, now: now)
    }
}
