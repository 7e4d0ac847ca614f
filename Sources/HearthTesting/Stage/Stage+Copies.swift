import HouseholdAgent
import HouseholdSimulation

/// A device whose whole disk is a copy of another one's: its save, its record and its key. Both go on, and each counts what
/// its own game writes.
extension Stage {
    /// Whether a device can become a copy of another one. Two copies of one device do not reach each other, since each takes
    /// the other for itself: a third device has to be there that tells each what the other wrote.
    func mayCopy(_ device: Int, onto other: Int) -> Bool {
        guard device != other, !isDown[device], !devices[device].isAsleep, !isRecordLost[device],
            canSave(device), canSave(other)
        else { return false }
        return devices.indices.contains { $0 != other && devices[$0].id != devices[device].id && !isRecordLost[$0] }
    }

    /// The player copies a device's whole disk onto another one, which is no device of the household any more.
    func copy(_ device: Int, onto other: Int) {
        guard mayCopy(device, onto: other) else {
            let why = "a third device has to be there, and both must be able to save"
            return report(.trouble, other, "cannot become a copy of \(names[device]): \(why)")
        }
        let former = devices[other].id
        crash(other)
        home.copyDisk(of: devices[device], onto: devices[other])
        (records[other], contents[other]) = (records[device], contents[device])
        if !devices.contains(where: { $0.id == former }) { _ = ask(UnpairRequest(device: "\(former)"), on: device) }
        round.acts.append("a device became a copy of another one")
        (isRecordOld[other], isRecordLost[other]) = (true, false)
        start(other)
    }

    /// Where there are copies, lets all devices find each other, as they do by discovery: copies take each other's links, so
    /// each has to know where the others are.
    func showCopies() {
        if devices.indices.contains(where: hasCopies) { home.showAll() }
    }

    /// Whether a device became a copy. Then one is called behind that nothing is wrong with: of the copies of a device only
    /// one is linked with another device at a time, and what a copy was before stays in the household where it could not be
    /// taken out.
    var hadCopies: Bool {
        steps.contains { if case .becomesCopy = $0 { true } else { false } }
    }

    /// Whether there are several devices with this one's key. The others cannot tell them apart.
    func hasCopies(_ device: Int) -> Bool {
        devices.indices.contains { $0 != device && devices[$0].id == devices[device].id }
    }
}
