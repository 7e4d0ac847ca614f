package import MergeCore

/// The user has moved the save's file to another path on this device.
package struct MoveRequest: AgentRequest {
    package static let name = "move"
    package typealias Response = ProfileAnswer

    /// The profile, by name or id.
    package var profile: String
    /// The absolute path at which the file is now.
    package var path: String

    /// Whether it is kept even where another tool syncs its folder; `nil` for no.
    package var anyway: Bool?

    package init(profile: String, path: String, anyway: Bool? = nil) {
        (self.profile, self.path, self.anyway) = (profile, path, anyway)
    }

    package var fault: MemberFault? { .unlessAbsolute(path, "path") }
    package var keptPath: String? { anyway == true ? nil : path }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.move(call, profile, path, now: now)
    }
}
