package import MergeCore

/// A request whose consequences can be shown beforehand.
package protocol PreviewableRequest: AgentRequest {
    /// Answers with what the request would change, and changes nothing.
    func preview<Files, Store>(
        _ call: Call<PreviewRequest<Self>>, on agent: inout HouseholdAgent<Files, Store>, now: Moment)
}

/// Shows what a request would change, or both sums of the counters for a ``RestoreRequest``; nothing is changed.
package struct PreviewRequest<Previewed: PreviewableRequest>: AgentRequest {
    package static var name: String { "preview." + Previewed.name }
    package static var needsSettledFiles: Bool { true }
    package typealias Response = PreviewReport

    package var previewed: Previewed

    package init(_ previewed: Previewed) { self.previewed = previewed }

    /// A preview is written like the request itself.
    package init(from decoder: any Decoder) throws { previewed = try Previewed(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try previewed.encode(to: encoder) }

    package var fault: MemberFault? { previewed.fault }
    package var keptPath: String? { previewed.keptPath }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        previewed.preview(call, on: &agent, now: now)
    }
}
