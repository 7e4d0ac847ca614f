package import MergeCore

/// Gives a profile, or this device, another name on every device of the household.
package struct RenameRequest: AgentRequest {
    package static let name = "rename"
    package typealias Response = Renamed

    /// The profile, or this device, by name or id.
    package var subject: String
    /// The new name.
    package var to: String

    package init(subject: String, to: String) { (self.subject, self.to) = (subject, to) }

    package var fault: MemberFault? { to.isEmpty ? MemberFault(member: "to", message: "is empty") : nil }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.rename(call, subject, to: to, now: now)
    }
}
