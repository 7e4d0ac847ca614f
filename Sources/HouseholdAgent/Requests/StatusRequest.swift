package import MergeCore

/// Reports the device, its household and all profiles.
package struct StatusRequest: AgentRequest {
    package static let name = "status"
    package typealias Response = StatusReport

    package init() {}

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.afterSettling { agent in
            let report = agent.statusReport(now: now)
            agent.answer(call) { _ in report }
        }
    }
}
