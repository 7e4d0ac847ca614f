package import MergeCore

/// The user has moved the save's file to another path on this device.
package struct MoveRequest: AgentRequest {
    package static let name = "move"
    package typealias Response = ProfileAnswer

    /// The profile, by name or id.
    package var profile: String
    /// The absolute path at which the file is now.
    package var path: String

    package init(profile: String, path: String) {
        (self.profile, self.path) = (profile, path)
    }

    package var fault: MemberFault? { .unlessAbsolute(path, "path") }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.move(call, profile, path, now: now)
    }
}
