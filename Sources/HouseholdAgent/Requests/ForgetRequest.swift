package import MergeCore

/// Forgets a profile on every device, for good; files and backups stay.
package struct ForgetRequest: AgentRequest {
    package static let name = "forget"
    package typealias Response = ForgottenProfile

    /// The profile, by name or id.
    package var profile: String

    package init(profile: String) { self.profile = profile }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.forget(call, profile, now: now)
    }
}
