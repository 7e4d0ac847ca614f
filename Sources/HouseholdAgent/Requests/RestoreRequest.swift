package import MergeCore

/// Binds a profile of the household to a path. If there is a save at the path, it may be a copy of the profile, so a
/// counter becomes the larger of both totals.
package struct RestoreRequest: PreviewableRequest {
    package static let name = "restore"
    package typealias Response = ProfileAnswer

    /// The profile, by name or id.
    package var profile: String
    /// The absolute path for the file.
    package var path: String
    /// Whether the save at the path was played separately, so that the totals are added.
    package var apart: Bool

    /// Whether it is kept even where another tool syncs its folder; `nil` for no.
    package var anyway: Bool?

    package init(profile: String, path: String, apart: Bool = false, anyway: Bool? = nil) {
        (self.profile, self.path, self.apart, self.anyway) = (profile, path, apart, anyway)
    }

    package var fault: MemberFault? { .unlessAbsolute(path, "path") }
    package var keptPath: String? { anyway == true ? nil : path }

    package func preview<Files, Store>(
        _ call: Call<PreviewRequest<Self>>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.restore(.preview(call), self, now: now)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.restore(.now(call), self, now: now)
    }
}
