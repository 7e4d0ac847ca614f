package import MergeCore

/// Tells how everything is, and again whenever that has changed, while this request stays open. For programs that show
/// it to people, such as the page.
package struct FollowRequest: AgentRequest {
    package static let name = "follow"
    package static let needsRunningAgent = true
    package typealias Response = Done
    package typealias Event = FollowReport

    package init() {}

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.followers.add(call)
    }
}

/// How everything is, and which saves hold something else than at the report before.
package struct FollowReport: AgentMessage, Hashable {
    package static let event = "changed"

    package var status: StatusReport
    /// The ids of the profiles whose content has changed since the report before; all of them in the first one.
    package var moved: [String]

    package init(status: StatusReport, moved: [String]) { (self.status, self.moved) = (status, moved) }
}
