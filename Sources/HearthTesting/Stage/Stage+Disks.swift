import HouseholdSimulation
import ProfileKeeping

/// Disks that take nothing more.
extension Stage {
    func setFull(_ device: Int, _ isFull: Bool) {
        self.isFull[device] = isFull
        plannedSaves[device] = nil
        setDiskFault(device)
    }

    func setReadOnly(_ device: Int, _ isReadOnly: Bool) {
        self.isReadOnly[device] = isReadOnly
        plannedSaves[device] = nil
        setDiskFault(device)
    }

    /// Whether a game can write its file.
    func canSave(_ device: Int) -> Bool { !isFull[device] && !isReadOnly[device] }

    /// Lets the steps of a disk fail that cannot be done now.
    func setDiskFault(_ device: Int) {
        let fault = isReadOnly[device] ? Self.readOnly : isFull[device] ? Self.noSpace : nil
        devices[device].files.power.setHook(fault)
    }

    private static let noSpace: PowerSwitch.Hook = { operation throws(StorageFault) in
        switch operation {
        case .create, .writeHalf, .writeWhole, .link, .keepBackup, .quarantine, .commit:
            throw StorageFault(.noSpace, "no space is left on the disk")
        case .home(let step) where step.hasPrefix("create") || step.hasPrefix("write"):
            throw StorageFault(.noSpace, "no space is left on the disk")
        case .home, .sync, .exchange, .place, .syncFolder, .remove, .rename, .syncAside: return
        }
    }

    /// A sync still works, since a disk that becomes read-only has everything that was written before.
    private static let readOnly: PowerSwitch.Hook = { operation throws(StorageFault) in
        switch operation {
        case .sync, .syncFolder, .syncAside: return
        case .home(let step) where step.hasPrefix("sync"): return
        case .commit: throw StorageFault(.record, "the record cannot be written: the disk can only be read")
        case .create, .writeHalf, .writeWhole, .link, .keepBackup, .quarantine, .exchange, .place, .remove, .rename,
            .home:
            throw StorageFault(.denied, "the file system is read-only")
        }
    }
}
