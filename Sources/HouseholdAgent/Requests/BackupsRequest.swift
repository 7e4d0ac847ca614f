package import MergeCore

/// Lists the backups of a profile on this device.
package struct BackupsRequest: AgentRequest {
    package static let name = "backups"
    package typealias Response = BackupList

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.backups(call, profile)
    }
}
