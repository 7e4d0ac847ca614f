/// The game of an open ``AttachRequest`` has read what the last ``BringRequest`` wrote.
package struct TakenRequest: AgentRequest {
    package static let name = "taken"
    package static let needsRunningAgent = true
    package typealias Response = Done

    /// The number that the ``AttachmentReport`` named.
    package var attachment: RequestID

    package init(attachment: RequestID) { self.attachment = attachment }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Int64
    ) {
        agent.taken(call, attachment)
    }
}
