package import MergeCore

/// Takes up what the game of an open ``SubscribeRequest`` saved, and writes what other devices changed into its file.
package struct PullRequest: AgentRequest {
    package static let name = "pull"
    package static let needsRunningAgent = true
    package typealias Response = SubscriptionReport

    /// The number that the ``SubscriptionReport`` named.
    package var subscription: RequestID
    /// Whether the devices of the household are dialled at once.
    package var hurry: Bool

    package init(subscription: RequestID, hurry: Bool = false) {
        (self.subscription, self.hurry) = (subscription, hurry)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.pull(call, subscription, hurry: hurry, now: now)
    }
}
