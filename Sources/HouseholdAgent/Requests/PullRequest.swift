package import MergeCore

/// Takes up what the game of an open ``AttachRequest`` saved, and writes what other devices changed into its file.
package struct PullRequest: AgentRequest {
    package static let name = "pull"
    package static let needsRunningAgent = true
    package typealias Response = AttachmentReport

    /// The number that the ``AttachmentReport`` named.
    package var attachment: RequestID
    /// Whether the devices of the household are dialled at once.
    package var hurry: Bool

    package init(attachment: RequestID, hurry: Bool = false) {
        (self.attachment, self.hurry) = (attachment, hurry)
    }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.pull(call, attachment, hurry: hurry, now: now)
    }
}
