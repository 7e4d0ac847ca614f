package import MergeCore

/// Pins a backup, so that it is kept until it is unpinned; or unpins it.
package struct PinBackupRequest: AgentRequest {
    package static let name = "pinBackup"
    package typealias Response = BackupList

    /// The profile, by name or id.
    package var profile: String
    /// The backup's name.
    package var backup: String
    package var isPinned: Bool

    package init(profile: String, backup: String, isPinned: Bool) {
        (self.profile, self.backup, self.isPinned) = (profile, backup, isPinned)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.pinBackup(call, profile, backup, isPinned)
    }
}
