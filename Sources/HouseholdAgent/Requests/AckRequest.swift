package import MergeCore

/// The game of an open ``AttachRequest`` has read what the last ``PullRequest`` wrote.
package struct AckRequest: AgentRequest {
    package static let name = "ack"
    package static let needsRunningAgent = true
    package typealias Response = Done

    /// The number that the ``AttachmentReport`` named.
    package var attachment: RequestID

    package init(attachment: RequestID) { self.attachment = attachment }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.ack(call, attachment)
    }
}
