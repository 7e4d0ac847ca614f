import HouseholdAgent
import HouseholdSimulation

/// What a player does beside playing.
extension Stage {
    /// Asks a device's agent, and lets time pass until it has answered; `nil` where it is off or does not answer.
    func ask(_ request: any AgentRequest, on device: Int) -> AgentReply? {
        guard devices[device].isRunning else { return nil }
        let id = home.ask(request, on: devices[device])
        _ = home.run(until: { devices[device].replies[id]?.last?.isFinal == true || !devices[device].isRunning })
        return devices[device].replies[id]?.last
    }

    func undo(_ device: Int) { act(UndoRequest(profile: Self.name), "undo", device) }

    func reset(_ device: Int, _ scope: String?) {
        act(ResetRequest(profile: Self.name, scope: scope), "reset", device)
    }

    func restore(_ device: Int, _ number: Int) {
        let backups = ask(BackupsRequest(profile: Self.name), on: device)?.message(BackupList.self)?.backups ?? []
        let good = backups.filter { $0.damage == nil && $0.device == nil }
        guard good.indices.contains(number) else {
            return timeline.add(at: now, [device], .note, "there is no backup \(number)")
        }
        act(RestoreBackupRequest(profile: Self.name, backup: good[number].name), "restore", device)
    }

    private func act(_ request: some ActRequest, _ name: String, _ device: Int) {
        switch ask(request, on: device) {
        case .response?: round.acts.append(name)
        case .failure(_, let why)?: timeline.add(at: now, [device], .note, "\(name) was refused: \(why)")
        case .event?, nil: timeline.add(at: now, [device], .note, "\(name) was not answered")
        }
    }
}
