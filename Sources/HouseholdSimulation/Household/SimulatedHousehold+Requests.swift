package import HouseholdAgent
package import ProfileKeeping

/// Requests of a device's player, and the changes of its configuration and of its day.
extension SimulatedHousehold {
    @discardableResult
    package func ask(_ request: any AgentRequest, on device: SimulatedDevice) -> RequestID {
        let id = RequestID(rawValue: device.nextRequest)
        device.nextRequest += 1
        deliver(index(device), .request(id, request))
        return id
    }

    /// Asks a device something that changes nothing, as if nobody had asked: the digest and the ids of later requests are
    /// those that they would have been.
    ///
    /// - Returns: What the device answers at once; nothing while it sleeps.
    package func askAside(_ request: any AgentRequest, on device: SimulatedDevice) -> [AgentReply] {
        if device.isAsleep { return [] }
        let (former, next) = (sum, device.nextRequest)
        let id = ask(request, on: device)
        (sum, device.nextRequest) = (former, next)
        return device.replies.removeValue(forKey: id) ?? []
    }

    /// Two devices were not paired.
    package struct PairingFault: Error, CustomStringConvertible {
        package let description: String
    }

    /// Pairs two devices by a code, as people do it, until both know that they are paired.
    package func pair(_ a: SimulatedDevice, _ b: SimulatedDevice) throws(PairingFault) {
        let shown = ask(PairRequest(), on: a)
        guard let code = a.replies[shown]?.first?.message(PairingCodeMessage.self)?.code else {
            throw PairingFault(description: "no code was shown: \(a.replies[shown] ?? [])")
        }
        let typed = ask(JoinRequest(code: code, address: address(of: a)), on: b)
        let isDone = run(until: {
            if case .response(is PairedDevice)? = b.replies[typed]?.last,
                case .response(is PairedDevice)? = a.replies[shown]?.last
            {
                true
            } else {
                false
            }
        })
        guard isDone else {
            throw PairingFault(description: "not paired: \(a.replies[shown] ?? []) \(b.replies[typed] ?? [])")
        }
    }

    /// Lets the client of a request go away without waiting for the answer.
    package func abandon(_ id: RequestID, on device: SimulatedDevice) { deliver(index(device), .abandoned(id)) }

    /// Changes the device's configuration and lets the agent read it again.
    package func configure(_ processes: [String: String], on device: SimulatedDevice) {
        device.processes = processes
        deliver(
            index(device),
            .configured(
                processes: processes, sharesBackups: device.sharesBackups,
                keepsBackupsOfOthers: device.keepsBackupsOfOthers))
    }

    /// Changes which devices may copy the device's daily backups.
    package func configure(sharesBackups: [String], on device: SimulatedDevice) {
        device.sharesBackups = sharesBackups
        configure(device.processes, on: device)
    }

    /// Changes whether the device keeps copies of other devices' daily backups.
    package func configure(keepsBackupsOfOthers: Bool, on device: SimulatedDevice) {
        device.keepsBackupsOfOthers = keepsBackupsOfOthers
        configure(device.processes, on: device)
    }

    /// Starts a new local day on a device.
    package func begin(_ day: LocalDay, on device: SimulatedDevice) { deliver(index(device), .day(day)) }
}
