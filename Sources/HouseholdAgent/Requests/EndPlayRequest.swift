package import MergeCore

/// The game of an open ``PlayRequest`` has ended. The response comes once the other devices have its last save.
package struct EndPlayRequest: AgentRequest {
    package static let name = "endPlay"
    package static let needsRunningAgent = true
    package typealias Response = PlayedReport

    /// The number that the ``PlayReport`` named.
    package var play: RequestID

    package init(play: RequestID) { self.play = play }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.endPlay(call, play, now: now)
    }
}
