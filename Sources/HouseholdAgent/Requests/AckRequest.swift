package import MergeCore

/// The game of an open ``SubscribeRequest`` has read what the last ``PullRequest`` wrote.
package struct AckRequest: AgentRequest {
    package static let name = "ack"
    package static let needsRunningAgent = true
    package typealias Response = Done

    /// The number that the ``SubscriptionReport`` named.
    package var subscription: RequestID

    package init(subscription: RequestID) { self.subscription = subscription }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.ack(call, subscription)
    }
}
