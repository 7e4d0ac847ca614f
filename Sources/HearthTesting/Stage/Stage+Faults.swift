import HouseholdAgent
import HouseholdSimulation
import ProfileKeeping

/// Faults of the network between two devices.
enum NetworkFault {
    case cut, silent
    /// Nothing of the first one gets through.
    case silentOneWay
}

/// What goes wrong in a household.
extension Stage {
    // MARK: Network

    func part(_ one: Int, _ other: Int, _ fault: NetworkFault) {
        guard one != other else { return }
        switch fault {
        case .cut: home.part(devices[one], devices[other])
        case .silent: home.mute(devices[one], devices[other])
        case .silentOneWay: home.mute(devices[one], toward: devices[other])
        }
        partings.insert([min(one, other), max(one, other)])
    }

    func heal() {
        for pair in partings.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            home.mute(devices[pair[0]], devices[pair[1]], false)
            home.part(devices[pair[0]], devices[pair[1]], false)
        }
        partings = []
        showCopies()
    }

    // MARK: Power

    func crash(_ device: Int) {
        isCrashed[device] = true
        guard !isDown[device] else { return }
        home.kill(devices[device])
        loseUnsynced(device)
    }

    /// Lets a device lose its power before one of its next disk steps.
    func planCrash(_ device: Int, before step: Int) {
        guard !isDown[device] else { return }
        let power = devices[device].files.power
        power.cut(before: power.operations.count + max(1, step))
    }

    /// What is left of a device without power: its file as far as it was synced, and no game in memory.
    func loseUnsynced(_ device: Int) {
        if devices[device].isRunning { home.kill(devices[device]) }
        devices[device].files.power.cut()
        devices[device].files.loseUnsynced()
        isDown[device] = true
        memories[device] = nil
        timeline.add(at: now, [device], .fault, "is off")
    }

    func start(_ device: Int) {
        guard isDown[device] else { return }
        // It can neither lock its folder nor open its record.
        guard !isReadOnly[device] else {
            return timeline.add(at: now, [device], .fault, "does not start, because its disk can only be read")
        }
        restorePower(device)
        do {
            try home.start(devices[device], isRecordRolledBack: isRecordOld[device])
            (isDown[device], isCrashed[device], isRecordOld[device]) = (false, false, false)
            showCopies()
        } catch {
            // With an old record an agent starts only where it can store that it writes as another replica, and with none
            // only where it can make one.
            guard isRecordOld[device] || isRecordLost[device], isFull[device] else {
                return report(.trouble, device, "does not start again: \(error)")
            }
            timeline.add(at: now, [device], .fault, "does not start, because its disk is full")
        }
    }

    /// Lets a device start with the record of an earlier day, as from a backup of its disk.
    func rollBack(_ device: Int) {
        crash(device)
        devices[device].record.restore(records[device])
        round.acts.append("a record was rolled back")
        (isRecordOld[device], isRecordLost[device]) = (true, false)
        start(device)
    }

    // MARK: Sleep

    func sleep(_ device: Int) {
        guard !isDown[device] else { return }
        home.sleep(devices[device])
    }

    // MARK: Clock

    func setClock(_ device: Int, ahead: Int64) {
        devices[device].skew = .milliseconds(ahead)
        round.clocks.devices.insert(device)
    }

    // MARK: Before all is looked at

    /// Takes a planned power cut back, and switches the power on.
    private func restorePower(_ device: Int) {
        devices[device].files.power.restart()
        plannedSaves[device] = nil
        setDiskFault(device)
    }

    /// Before everything is looked at, devices without power start, no cut or save is planned any more, and those that sleep
    /// wake.
    func powerUp() {
        for device in devices.indices {
            if isDown[device] {
                start(device)
            } else {
                devices[device].files.power.cut(before: nil)
                notePlannedSave(device)
                dropPlannedSave(device)
                home.wake(devices[device])
            }
        }
    }
}
