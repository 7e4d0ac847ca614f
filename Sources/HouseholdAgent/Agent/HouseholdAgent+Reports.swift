import MergeCore
import ProfileKeeping
import SyncProtocol

/// What the agent tells about itself.
extension HouseholdAgent {
    func report(_ id: ProfileID) -> ProfileReport {
        let profile = keeper.profiles[id]!
        var state = "good"
        var reason = profile.trouble
        switch profile.status {
        case .good: break
        case .missing:
            state = "missing"
            reason = "nothing is at \(profile.file ?? "?"); it is written again shortly"
        case .bad(let why): (state, reason) = ("bad", why)
        }
        if profile.file == nil { (state, reason) = ("relayed", nil) }
        if let held = profile.state.rulesHeld {
            (state, reason) = ("bad", "its rules come from a newer Hearth (\(held)); update Hearth on this device")
        }
        return ProfileReport(
            id: id.description, name: profile.name, file: profile.file, state: state, reason: reason,
            remark: profile.remark, unreadable: profile.unreadable.map(\.description),
            pending: keeper.wantsProjection(id), joinedInto: profile.state.joinedInto?.description,
            lastSync: lastSync[id])
    }

    func statusReport(now: Int64) -> StatusReport {
        let devices = deviceReports()
        return StatusReport(
            device: devices[0], port: port.map(Int.init), discovery: discoveryStatus, household: Array(devices.dropFirst()),
            profiles: keeper.ids.filter { keeper.profiles[$0]!.state.joinedInto == nil }.map(report),
            troubles: [recordTrouble, discoveryTrouble].compactMap { $0 } + twinTroubles())
    }

    /// This device first, then the household by name.
    func deviceReports() -> [DeviceReport] {
        let others = household.roster.members.filter { $0.key != household.roster.me }.map { member in
            let live = links.first { $0.value.peerKey == member.key && $0.value.isUp }
            return DeviceReport(
                id: member.id.description, name: member.name, isThisDevice: false, connected: live != nil,
                address: (live?.value.remote ?? household.addresses[member.id])?.description,
                reason: live == nil ? lastEnd[member.id] ?? "not seen since the agent started" : nil)
        }
        return [identity] + others.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Who of the household has all of these profiles, and who has not.
    func syncReport(_ profiles: [ProfileID]) -> SyncReport {
        var report = SyncReport(inStep: [], behind: [])
        for member in household.roster.members where member.key != household.roster.me {
            let live = links.first { $0.value.peerKey == member.key && $0.value.isUp }
            let settled = live.map { live in
                live.value.isUp
                    && profiles.allSatisfy { live.value.link.isSettled($0) && watches[$0]?.settling.isSettled != false }
            }
            if settled == true { report.inStep.append(member.name) } else { report.behind.append(member.name) }
        }
        return report
    }

    private func twinTroubles() -> [String] {
        let shown = keeper.ids.filter { keeper.profiles[$0]!.state.joinedInto == nil }
        let names = Dictionary(grouping: shown) { keeper.profiles[$0]!.name }
        return names.filter { $0.value.count > 1 }.keys.sorted().map {
            "\(names[$0]!.count) profiles are called \($0); if they are one game's progress, join them with: hearth restore \($0) --to FILE"
        }
    }
}
