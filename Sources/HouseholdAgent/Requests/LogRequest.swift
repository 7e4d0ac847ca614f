package import MergeCore

/// Lists what happened to the profiles on this device lately, from whichever device it came.
package struct LogRequest: AgentRequest {
    package static let name = "log"
    package typealias Response = LogReport

    /// A profile or a device, by name or id; none for everything.
    package var subject: String?
    /// The time from which on steps are listed.
    package var since: WallTime
    /// The largest number of steps.
    package var limit: Int
    /// Whether the agent's own log lines are listed as well.
    package var lines: Bool?

    package init(subject: String? = nil, since: WallTime, limit: Int, lines: Bool? = nil) {
        (self.subject, self.since, self.limit, self.lines) = (subject, since, limit, lines)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.listSteps(call, self)
    }
}
