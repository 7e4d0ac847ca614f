import MergeCore
import ProfileKeeping
import SyncProtocol

/// Removing devices from the household.
extension HouseholdAgent {
    mutating func unpair(_ call: Call<UnpairRequest>, _ device: String, now: Moment) {
        let matching = otherMembers.filter { $0.name == device || $0.id.hex.hasPrefix(device.lowercased()) }
        guard matching.count == 1, let member = matching.first else {
            let known = otherMembers.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
            guard matching.isEmpty else {
                let why = "several devices are called \(device): name one by its id: \(known)"
                return fail(call.id, .needsDecision, why)
            }
            let why = "no device \(device) is in this household; it has: \(known.isEmpty ? "no other" : known)"
            return fail(call.id, .failed, why)
        }
        do {
            let former = household
            household.replace(try household.roster.removing(member.key, by: signer).roster)
            do { try store(notes: household.rosterNote) } catch {
                household = former
                throw error
            }
        } catch {
            return fail(call.id, .failed, "\(error)")
        }
        log(.notice, "a device was removed from the household", ["device": member.name])
        spreadRoster(now: now)
        closeLinksOfRemoved(now: now)
        let report = DeviceReport(
            id: member.id.description, name: member.name, isThisDevice: false, connected: false)
        answer(call, RemovedDevice(device: report))
    }
}
