import MergeCore
import ProfileKeeping
import SyncProtocol

/// Giving profiles and this device other names.
extension HouseholdAgent {
    mutating func rename(_ call: Call<RenameRequest>, _ name: String, to new: String, now: Moment) {
        guard DisplayName.isClean(new) else {
            return fail(call.id, .usage, DisplayName.refusal(of: new))
        }
        let (saves, devices) = (profiles(named: name), members(named: name))
        if saves.isEmpty, devices.isEmpty { return fail(call.id, .failed, unknown(name)) }
        guard !saves.isEmpty else { return renameDevice(call, name, devices, to: new, now: now) }
        if let device = devices.first(where: { $0.name == name }) {
            let ids = "for the save: \(saves[0]), for the machine: \(device.id)"
            return fail(call.id, .needsDecision, "a save and a machine are called \(name): name one by its id: \(ids)")
        }
        guard let profile = one(named: name, for: call.id) else { return }
        renameProfile(call, profile, to: new, now: now)
    }

    private mutating func renameProfile(
        _ call: Call<RenameRequest>, _ profile: ProfileID, to new: String, now: Moment
    ) {
        let former = engine.profiles[profile]?.name ?? ""
        if let other = profiles(named: new).first, other != profile {
            let why = "a save is called \(new) already (\(whereabouts(other))); choose another name"
            return fail(call.id, .failed, why)
        }
        guard ProfileID(hex: new) == nil else {
            return fail(call.id, .usage, "\(new) reads like the id of a save; choose another name")
        }
        do {
            try engine.rename(profile, to: new, now: now)
            let note = "where config.yaml or a launch option says \(former), write the new name there"
            answer(call) { Renamed(former: former, profile: $0.report(profile), note: note) }
        } catch {
            fail(call.id, .failed, error.message)
        }
    }

    private mutating func renameDevice(
        _ call: Call<RenameRequest>, _ name: String, _ devices: [Roster.Member], to new: String, now: Moment
    ) {
        // A machine's name is what it says of itself, so that none is called something by the word of a third. Where
        // others have this one's name, this one is meant.
        let named = devices.filter { $0.name == name }
        guard (named.isEmpty ? devices : named).contains(where: { $0.key == signer.key }) else {
            let command = "hearth rename \(ShellWord.quoted(name)) \(ShellWord.quoted(new))"
            let why = "\(name) is another machine, which says itself what it is called"
            return fail(call.id, .failed, "\(why); run there: \(command)")
        }
        let former = household.roster.name
        guard !otherMembers.contains(where: { $0.name == new }) else {
            return fail(call.id, .failed, "another machine of the household is called \(new); choose another name")
        }
        let earlier = household
        household.rename(to: new)
        do { try store(notes: household.takeUnstored()) } catch {
            household = earlier
            return fail(call.id, .failed, error.message)
        }
        // A device says its name at the start of a link: the others hear the new one when they are connected again.
        for (id, _) in links.all { tell(id, now: now) { $0.goodbye("it is called \(new) from now on") } }
        log(.notice, "this device has another name", ["former": former, "name": new])
        let note = "the other machines show it as soon as they are connected"
        answer(call) { Renamed(former: former, device: $0.identity, note: note) }
    }
}
