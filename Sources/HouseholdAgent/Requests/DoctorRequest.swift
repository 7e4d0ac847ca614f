package import MergeCore

/// Finds out why another device is not seen or a save not in step: dials every known address, asks every link, and
/// tries the disks.
package struct DoctorRequest: AgentRequest {
    package static let name = "doctor"
    package typealias Response = DoctorReport

    package init() {}

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.diagnose(call, now: now)
    }
}
