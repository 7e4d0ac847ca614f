import HouseholdAgent
import HouseholdSimulation

/// What the devices say of themselves.
extension Stage {
    /// The words of one device when all is quiet.
    struct Words {
        /// All that is not "all is well".
        var said: [String] = []
        /// The devices that it says to be in step.
        var inStep: [String] = []
        /// The devices that it says to lack something.
        var behind: [String] = []
        /// Why its own files are not in step.
        var troubles: [String] = []
    }

    func words(_ device: Int) -> Words {
        guard let status = ask(StatusRequest(), on: device)?.message(StatusReport.self) else {
            return Words(said: ["there is no status"])
        }
        var words = Words(said: status.troubles)
        for profile in status.profiles {
            words.said += [profile.reason, profile.remark, profile.held, profile.backupTrouble].compactMap { $0 }
            words.said += profile.unreadable.map { "cannot be read: \($0)" }
            words.said += profile.decisions ?? []
            if profile.state != "good" { words.troubles.append("the save is \(profile.state)") }
            if profile.pending { words.troubles.append("the file is not written yet") }
        }
        let conflicts = ask(ConflictsRequest(profile: nil), on: device)?.message(ConflictList.self)?.conflicts ?? []
        words.said += conflicts.map { "to be decided: \($0.place)" }
        guard let report = ask(SyncRequest(profile: nil), on: device)?.message(SyncReport.self) else { return words }
        words.inStep = report.inStep
        words.behind = report.behind + (report.filesBehind ?? [])
        words.troubles += report.troubles ?? []
        return words
    }

    /// Lets all that was said be settled, so that what is said next is of what happens next.
    func answerAll() {
        for device in devices.indices { _ = ask(KeepRequest(profile: Self.name), on: device) }
        run(30_000)
    }

    /// Why a place shows its value, in the words of `hearth explain`.
    func explanation(of place: String, on device: Int) -> String? {
        ask(ExplainRequest(profile: Self.name, pointer: place), on: device)?.message(ExplainReport.self)?.sentence
    }
}
