import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping

/// What the devices say of themselves.
extension Stage {
    /// The words of one device when all is quiet.
    struct Words {
        /// All that is not "all is well", but for what is unsettled and guessed.
        var said: [String] = []
        /// What was guessed of the state that a game had read.
        var guesses: [String] = []
        /// The choices that wait for the player, and the counters that owe. All else is well meanwhile.
        var unsettled: [Unsettled] = []
        /// The devices that it says to be in step.
        var inStep: [String] = []
        /// The devices that it says to lack something.
        var behind: [String] = []
        /// Why its own files are not in step.
        var troubles: [String] = []
    }

    /// A place that shows something else than its rule gives until something happens.
    struct Unsettled {
        let place: String
        /// The rule: `counter` for one that owes, `choice` for one that is open.
        let rule: MergeRule.Merge
        /// How many values there are to choose from.
        let choices: Int
        let sentence: String
    }

    /// Whether a remark says what was guessed, and nothing else: no place that was lowered, put aside or put back.
    private static func isGuessAlone(_ remark: String) -> Bool {
        let others = ["; the game changed ", "; progress made apart ", "; the rule of ", " swapped away"]
        return remark.hasPrefix(SaveNotices.guessWords) && !others.contains { remark.contains($0) }
    }

    /// How a status says that another machine is a copy of this one.
    private static let copyWords = "runs with a copy of this machine's Hearth folder"

    /// How a status says that a choice is open.
    private static let openChoice = "each device keeps its own: hearth conflicts"

    func words(_ device: Int) -> Words {
        // Without a record it has no save of which it could say anything.
        guard !isRecordLost[device] else { return Words() }
        guard let status = answer(StatusRequest(), on: device) else {
            return Words(said: ["there is no status"])
        }
        // A true report of a copied identity is no failure; a false one is reported below.
        var words = Words(said: status.troubles.filter { !hasCopies(device) || !$0.contains(Self.copyWords) })
        if !hasCopies(device), let trouble = status.troubles.first(where: { $0.contains(Self.copyWords) }) {
            report(.status, device, "says that it has a copy, and has none: \(trouble)")
        }
        for profile in status.profiles {
            let isGuess = profile.remark.map(Self.isGuessAlone) ?? false
            words.guesses += isGuess ? [profile.remark].compactMap { $0 } : []
            words.said += [profile.reason, isGuess ? nil : profile.remark, profile.held, profile.backupTrouble]
                .compactMap { $0 }
            words.said += profile.unreadable.map { "cannot be read: \($0)" }
            // An open choice is said again below, by its place.
            words.said += (profile.decisions ?? []).filter { !$0.contains(Self.openChoice) }
            if profile.state != "good" { words.troubles.append("the save is \(profile.state)") }
            if profile.pending { words.troubles.append("the file is not written yet") }
        }
        words.unsettled = unsettled(device)
        // A device that is alone has nobody to be in step with.
        guard devices.count > 1, let report = answer(SyncRequest(profile: nil), on: device) else {
            return words
        }
        words.inStep = report.inStep
        words.behind = report.behind + (report.filesBehind ?? [])
        words.troubles += report.troubles ?? []
        return words
    }

    /// What a device answers. That it does not answer though it is on, or refuses, is a finding.
    private func answer<Request: AgentRequest>(_ request: Request, on device: Int) -> Request.Response? {
        let reply = ask(request, on: device)
        if let answer = reply?.message(Request.Response.self) { return answer }
        guard !isDown[device] else { return nil }
        var why = "is not answered"
        if case .failure(_, let reason)? = reply { why = "is refused: \(reason)" }
        report(.trouble, device, "hearth \(Request.name) \(why)")
        return nil
    }

    /// What of the save waits for the player of a device, and what it owes.
    func unsettled(_ device: Int) -> [Unsettled] {
        let conflicts = ask(ConflictsRequest(profile: nil), on: device)?.message(ConflictList.self)?.conflicts ?? []
        return conflicts.map { conflict in
            // A debt has a sentence, and nothing to choose from.
            if conflict.candidates.isEmpty, let information = conflict.information {
                return Unsettled(
                    place: conflict.place, rule: .counter, choices: 0, sentence: "\(conflict.place) \(information)")
            }
            return Unsettled(
                place: conflict.place, rule: .choice, choices: conflict.candidates.count,
                sentence: "to be decided: \(conflict.place)")
        }
    }

    /// Lets all that was said be settled, so that what is said next is of what happens next: open choices are made on
    /// the first device that runs, for all of them, and every device keeps the household's state.
    func answerAll() {
        if let first = devices.indices.first(where: { devices[$0].isRunning }) {
            for open in unsettled(first) where open.rule == .choice { choose(open, on: first) }
        }
        for device in devices.indices { _ = ask(KeepRequest(profile: Self.name), on: device) }
        run(30_000)
    }

    /// Chooses the first value that can be chosen: a removal is counted among the values, and cannot be.
    private func choose(_ open: Unsettled, on device: Int) {
        for choice in 1...(open.choices + 1) {
            let request = ResolveRequest(profile: Self.name, pointer: open.place, choice: choice)
            if case .response? = ask(request, on: device) { return }
        }
    }
}
