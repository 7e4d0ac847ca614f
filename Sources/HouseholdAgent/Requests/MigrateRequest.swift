package import MergeCore

/// Takes the file on this device to another version of its game.
package struct MigrateRequest: AgentRequest {
    package static let name = "migrate"
    package typealias Response = MigrationSummary

    /// The profile, by name or id.
    package var profile: String
    /// The version; none for the version of the rules.
    package var to: String?
    /// A backup whose save is put into the file instead of taking steps back. With "newest" this is done only if the
    /// steps have no inverse. A path names a copy that the game kept.
    package var backup: String?
    /// Whether only a report is made.
    package var dryRun: Bool

    package init(profile: String, to: String? = nil, backup: String? = nil, dryRun: Bool = false) {
        (self.profile, self.to, self.backup, self.dryRun) = (profile, to, backup, dryRun)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.migrate(call, self, now: now)
    }
}
