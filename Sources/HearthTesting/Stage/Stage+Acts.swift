import HouseholdAgent
import HouseholdSimulation
import MergeCore

/// What a player does beside playing.
extension Stage {
    /// Asks a device's agent, and lets time pass until it has answered; `nil` where it is off, sleeps, or does not answer.
    func ask(_ request: any AgentRequest, on device: Int) -> AgentReply? {
        home.answer(to: request, on: devices[device])
    }

    func undo(_ device: Int) { act(UndoRequest(profile: Self.name), "undo", device) }

    func reset(_ device: Int, _ scope: String?) {
        let scopes = game.rules.resets.map(\.name)
        if let scope, !scopes.contains(scope) {
            let known = scopes.isEmpty ? "the rules name none" : "there are: \(scopes.joined(separator: ", "))"
            return report(.trouble, device, "there is no part \"\(scope)\" to reset; \(known)")
        }
        act(ResetRequest(profile: Self.name, scope: scope), "reset", device)
    }

    func restore(_ device: Int, _ number: Int) {
        guard !isOff(device) else { return }
        let backups = ask(BackupsRequest(profile: Self.name), on: device)?.message(BackupList.self)?.backups ?? []
        let good = backups.filter { $0.damage == nil && $0.device == nil }
        guard good.indices.contains(number) else {
            return timeline.add(at: now, [device], .note, "there is no backup \(number)")
        }
        act(RestoreBackupRequest(profile: Self.name, backup: good[number].name), "restore", device)
    }

    private func act(_ request: some ActRequest, _ name: String, _ device: Int) {
        guard !isOff(device) else { return }
        switch ask(request, on: device) {
        case .response?: round.acts.append(name)
        case .failure(_, let why)?: timeline.add(at: now, [device], .note, "\(name) was refused: \(why)")
        case .event?, nil:
            // A device may lose its power after it did something, and before it says so.
            round.acts.append(name)
            timeline.add(at: now, [device], .note, "\(name) was not answered, and may have taken effect")
        }
    }

    /// Whether nobody can do anything on a device, since it is off or sleeps; that is noted. A scenario that took its power
    /// or let it sleep, and goes on there, is wrong, since it does nothing. When a planned cut comes, nobody knows beforehand.
    func isOff(_ device: Int) -> Bool {
        guard !devices[device].isAsleep else {
            report(.trouble, device, "sleeps, so nobody does anything on it; let it wake first")
            return true
        }
        guard isDown[device] else { return false }
        let sentence = "is off, so nobody does anything on it"
        if isCrashed[device] {
            report(.trouble, device, "\(sentence); let it start first")
        } else {
            timeline.add(at: now, [device], .note, sentence)
        }
        return true
    }
}
