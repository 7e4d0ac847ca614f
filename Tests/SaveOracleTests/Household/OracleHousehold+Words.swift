import HouseholdAgent
import HouseholdSimulation
import MergeCore
import SaveOracle

/// What the devices of a household say, and what they keep.
extension OracleHousehold {
    /// What a device says that is not "all is well".
    func words(_ device: Int) -> [String] {
        guard let status = ask(StatusRequest(), on: device)?.message(StatusReport.self) else { return ["no status"] }
        var words = status.troubles
        for profile in status.profiles {
            if profile.state != "good" { words.append(profile.state) }
            if profile.pending { words.append("pending") }
            words += [profile.reason, profile.remark, profile.held, profile.backupTrouble].compactMap { $0 }
            words += profile.unreadable.map { "not read: \($0)" }
            words += profile.decisions ?? []
        }
        if let conflicts = ask(ConflictsRequest(profile: nil), on: device)?.message(ConflictList.self)?.conflicts {
            words += conflicts.map { "decide: \($0.place)" }
        }
        return words
    }

    /// Whether a device's status names something that waits for the player.
    func asksToDecide(_ device: Int) -> Bool {
        guard let status = ask(StatusRequest(), on: device)?.message(StatusReport.self) else { return false }
        return status.profiles.contains { !($0.decisions ?? []).isEmpty }
    }

    /// The choices that a device lists as open.
    func openChoices(_ device: Int) -> [String] {
        guard let conflicts = ask(ConflictsRequest(profile: nil), on: device)?.message(ConflictList.self)?.conflicts
        else { return [] }
        return conflicts.filter { !$0.candidates.isEmpty }.map(\.place)
    }

    /// What a device asks about its last save.
    enum Question {
        case heldLess, purse
        /// An earlier save, since which the game has gone on from what the file showed instead.
        case overtaken
    }

    func question(_ device: Int) -> Question? {
        guard let status = ask(StatusRequest(), on: device)?.message(StatusReport.self) else { return nil }
        for sentence in status.profiles.flatMap({ $0.decisions ?? [] }) {
            if sentence.contains("hearth accept") { return sentence.contains("--apart") ? .purse : .heldLess }
            if sentence.contains("hearth restore") { return .overtaken }
        }
        return nil
    }

    /// Whether a device says that nothing of what it asked about can count any more.
    func saysThatNoAnswerCounts(_ device: Int) -> Bool {
        words(device).contains { $0.contains("was removed since, so nothing of it counts") }
    }

    /// The devices a device says to be in step.
    func inStep(_ device: Int) -> [String] {
        guard let report = ask(SyncRequest(profile: nil), on: device)?.message(SyncReport.self) else { return [] }
        return report.inStep
    }

    // MARK: Backups and transfers

    /// The good backups of a device with what is in them, the newest first.
    func backups(_ device: Int) -> [(name: String, text: String)] {
        guard let reports = ask(BackupsRequest(profile: "game"), on: device)?.message(BackupList.self)?.backups,
            let status = ask(StatusRequest(), on: device)?.message(StatusReport.self),
            let id = status.profiles.first.flatMap({ ProfileID(hex: $0.id.filter { $0 != "-" }) })
        else { return [] }
        return reports.filter { $0.damage == nil && $0.device == nil }.compactMap { report in
            (try? devices[device].files.readBackup(report.name, of: id, limit: 1 << 24)).map {
                (report.name, String(decoding: $0, as: UTF8.self))
            }
        }
    }

    /// Puts a file that another device exported on the disk of a device; returns where.
    func carry(_ bytes: [UInt8], to device: Int) -> String {
        let path = "/stick/game.hearth"
        devices[device].files.saveByRename(bytes, at: path)
        return path
    }
}
