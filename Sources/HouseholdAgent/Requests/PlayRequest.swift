package import MergeCore

/// Brings a profile in step, then leaves its file alone while this request stays open, because a game runs. The event
/// says that the game may start.
package struct PlayRequest: AgentRequest {
    package static let name = "play"
    package static let needsRunningAgent = true
    package typealias Response = PlayedReport
    package typealias Event = PlayReport

    /// The profile, by name or id.
    package var profile: String
    /// The game's name, as status shows it.
    package var game: String
    /// When the game started, if it runs already.
    package var since: WallTime?
    /// The mark by which the game's processes are found if the client is killed before they end.
    package var mark: PlayMark?

    package init(profile: String, game: String, since: WallTime? = nil, mark: PlayMark? = nil) {
        (self.profile, self.game, self.since, self.mark) = (profile, game, since, mark)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.play(call, self, now: now)
    }
}
