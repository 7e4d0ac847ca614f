package import MergeCore

/// An act of the player that counts on every device and is more than an edit. All of them can be previewed and
/// performed in the same way.
package protocol ActRequest: PreviewableRequest where Response == ProfileAnswer {
    /// Plans the act and changes nothing; `nil` if the act is not possible. Then the request has been answered.
    func plan<Files, Store>(
        on agent: inout HouseholdAgent<Files, Store>, for call: RequestID, now: Moment
    ) -> PlannedAct?
}

extension ActRequest {
    package static var needsSettledFiles: Bool { true }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        if let planned = plan(on: &agent, for: call.id, now: now) { agent.perform(planned, call, now: now) }
    }

    package func preview<Files, Store>(
        _ call: Call<PreviewRequest<Self>>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        if let planned = plan(on: &agent, for: call.id, now: now) { agent.preview(planned, call, now: now) }
    }
}
