import MergeCore
import ProfileKeeping
import SyncProtocol

/// Removing devices from the household.
extension HouseholdAgent {
    mutating func unpair(
        _ call: Call<UnpairRequest>, _ device: String, withBroughtIn: Bool, now: Moment
    ) {
        let others = otherMembers
        let matching = members(named: device).filter { $0.key != signer.key }
        guard matching.count == 1, let member = matching.first else {
            guard matching.isEmpty else {
                let why = "several devices are called \(device): name one by its id: \(list(matching))"
                return fail(call.id, .needsDecision, why)
            }
            let near = meant(device, among: others.map(\.name))
            let known = "it has: \(others.isEmpty ? "no other" : list(others))"
            return fail(call.id, .failed, "no device \(device) is in this household; \(near)\(known)")
        }
        // A stolen device may have let in others; a device that let in all the others may just be retired.
        let broughtIn = household.roster.broughtIn(by: member.key)
        let removed = [member] + (withBroughtIn ? broughtIn : [])
        let secret = freshBytes(HouseholdSecret.size)
        do {
            let former = household
            var roster = household.roster
            for member in removed { roster = try roster.removing(member.key, by: signer).roster }
            household.replace(roster)
            household.renewSecret(secret)
            do { try store(notes: household.takeUnstored()) } catch {
                household = former
                throw error
            }
        } catch {
            return fail(call.id, .failed, "\(error)")
        }
        for member in removed { log(.notice, "a device was removed from the household", ["device": member.name]) }
        func report(_ member: Roster.Member) -> DeviceReport {
            DeviceReport(id: member.id.description, name: member.name, isThisDevice: false, connected: false)
        }
        let response = RemovedDevice(
            device: report(member), broughtIn: broughtIn.map(report), withBroughtIn: withBroughtIn)
        answer(call) { _ in response }
    }

    /// States the devices that wrote in the saves here and of which the household does not know, such as those of a
    /// household that this device left. Otherwise the others would accept no such save from it.
    mutating func rememberWriters() {
        guard !otherMembers.isEmpty else { return }
        let merge = household.roster.remembering(origins.devices, by: signer)
        guard merge.changed else { return }
        household.replace(merge.roster)
    }
}
