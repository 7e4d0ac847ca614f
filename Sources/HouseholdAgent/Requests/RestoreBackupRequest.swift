package import MergeCore

/// Puts a backup back, for the whole household.
package struct RestoreBackupRequest: ActRequest {
    package static let name = "restoreBackup"

    /// The profile, by name or id.
    package var profile: String
    /// The backup's name.
    package var backup: String

    package init(profile: String, backup: String) {
        (self.profile, self.backup) = (profile, backup)
    }

    package func plan<Files, Store>(
        on agent: inout HouseholdAgent<Files, Store>, for call: RequestID, now: Moment
    ) -> PlannedAct? {
        agent.planRestore(call, profile, backup)
    }
}
