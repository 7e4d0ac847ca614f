import HouseholdAgent
import HouseholdSimulation

/// A device whose record is gone, while its save is there.
extension Stage {
    /// Whether another device has its record, so that the save can be had from it.
    func mayLoseRecord(_ device: Int) -> Bool {
        devices.indices.contains { devices[$0].id != devices[device].id && !isRecordLost[$0] }
    }

    /// Lets a device start with an empty record. Its agent knows nobody then, and keeps no save.
    func loseRecord(_ device: Int) {
        guard mayLoseRecord(device) else {
            return report(.trouble, device, "cannot lose its record: no other device has one to begin again from")
        }
        crash(device)
        devices[device].record.erase()
        (isRecordLost[device], isRecordOld[device]) = (true, false)
        start(device)
    }

    /// The player pairs the device again with the first one that it reaches, and brings the save in at its path, where the
    /// file still is.
    func joinAgain(_ device: Int) {
        guard isRecordLost[device], !isOff(device) else { return }
        guard let other = devices.indices.first(where: { reaches($0, from: device) }) else {
            return timeline.add(at: now, [device], .note, "reaches no device that it could be paired with")
        }
        // Play that no other device had is in this file alone, and nobody can tell it from a copy of the household's save.
        let isSame = round.plays.isEmpty && round.acts.isEmpty
        do {
            try home.pair(devices[other], with: devices[device])
            try home.expect(
                "\(names[device]) did not get the save again",
                of: RestoreRequest(profile: Self.name, path: Self.path), on: devices[device])
            isRecordLost[device] = false
            round.isBroughtAgain = true
            if !isSame { round.acts.append("a record was lost") }
        } catch {
            guard standsInTheWay(of: device) || standsInTheWay(of: other) else {
                return report(.trouble, device, "does not join again: \(error)")
            }
            timeline.add(at: now, [device], .note, "does not join again: \(error)")
        }
    }

    /// All devices without a record join again, before everything is looked at.
    func joinAllAgain() {
        for device in devices.indices where isRecordLost[device] && !isDown[device] { joinAgain(device) }
    }

    private func reaches(_ other: Int, from device: Int) -> Bool {
        other != device && devices[other].id != devices[device].id && !isRecordLost[other] && devices[other].isRunning
            && !devices[other].isAsleep
            && !partings.contains([min(device, other), max(device, other)])
    }

    /// Whether a device may not do what is asked of it: it cannot save, or has lost its power meanwhile.
    private func standsInTheWay(of device: Int) -> Bool {
        !canSave(device) || isDown[device] || devices[device].files.power.isOff || !devices[device].isRunning
    }
}
