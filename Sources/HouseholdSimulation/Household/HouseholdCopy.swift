import MergeCore

/// A simulated household at one moment, to be begun with again: its devices, and what their disks and records hold.
///
/// The memory of the agents and the messages that are under way are not copied: the agents start anew.
package struct HouseholdCopy: Sendable {
    struct Device: Sendable {
        let name: String
        let signer: SeededSigner
        let disk: MemoryDisk
        let record: MemoryRecord.Copy
    }

    /// The time since the household's simulation began.
    let now: MonotonicTime
    let devices: [Device]
}

extension SimulatedHousehold {
    /// Copies a device's whole disk onto another one, whose agent is killed. Its next start has to say that the record is a
    /// copy, as the shell finds by the machine's id.
    package func copyDisk(of device: SimulatedDevice, onto other: SimulatedDevice) {
        kill(other)
        other.becomeCopy(of: device)
    }

    /// The household as it is now.
    package var copy: HouseholdCopy {
        HouseholdCopy(
            now: now,
            devices: devices.map {
                HouseholdCopy.Device(
                    name: $0.name, signer: $0.signer, disk: $0.files.disk, record: $0.record.copy)
            })
    }

    /// Adds the devices of another household and starts their agents, at the time at which it was copied. This household
    /// has no device yet. The disk and the record of each device have one power switch, and each knows the addresses of those
    /// before it.
    ///
    /// - Throws: What an agent throws that cannot start.
    package func begin(with copy: HouseholdCopy) throws {
        precondition(devices.isEmpty, "a household begins with a copy once")
        setTime(copy.now)
        for known in copy.devices {
            let power = PowerSwitch()
            let record = MemoryRecord(power: power)
            record.restore(known.record)
            add(known.name, known.signer, MemoryFiles(known.disk, power: power), record)
        }
        for (index, device) in devices.enumerated() { device.peers = devices[..<index].map(address) }
        for device in devices { try start(device) }
    }
}
