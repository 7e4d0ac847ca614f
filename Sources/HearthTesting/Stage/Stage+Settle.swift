import HouseholdSimulation
import LosslessJSON
import MergeCore

/// Everything comes to rest, and is checked.
extension Stage {
    /// Longer than anything in an agent waits before it tries again.
    private static let restTime: Int64 = 90_000

    func settle() {
        powerUp()
        joinAllAgain()
        run(Self.restTime)
        powerUp()
        // While something stands between the devices, what was played is not judged yet: the ledger goes on.
        let isQuiet = partings.isEmpty && !(isFull + isReadOnly + isDown + isRecordLost).contains(true)
        check(isQuiet: isQuiet)
        if isQuiet { rest() }
    }

    private func check(isQuiet: Bool) {
        let files = devices.indices.map { save($0) }
        let words = devices.indices.map { self.words($0) }
        // What is said to be a guess, a question or a trouble is for the player to settle, and no finding. Where the saves
        // tell what their games had read, there was nothing to guess.
        let said = devices.indices.flatMap { words[$0].said + (isClear($0) ? [] : words[$0].guesses) }
        let unsettled = words.flatMap(\.unsettled)
        round.unjudged.formUnion(unsettled.map(\.rule))
        checkWords(words, files, isQuiet: isQuiet && said.isEmpty)
        if isQuiet, said.isEmpty {
            let judge = judge(files)
            for finding in judge.findings { report(finding) }
            outcomes.add(judge.outcomes)
            judgedRests += 1
        }
        for device in devices.indices {
            for sentence in words[device].said + words[device].guesses + words[device].unsettled.map(\.sentence) {
                timeline.add(at: now, [device], .words, sentence)
            }
        }
        let hasRemarks = words.contains { !$0.said.isEmpty || !$0.guesses.isEmpty }
        guard isQuiet, hasRemarks || unsettled.contains(where: { $0.rule == .choice }) else { return }
        answerAll()
        // Of the values nothing is known then, but all files hold the same: nothing is left to be decided. What is still said
        // needs a game or a person, such as a list whose elements have no key any more.
        guard devices.indices.allSatisfy({ self.words($0).said.isEmpty }) else { return }
        var judge = Judge(names: names, rules: game.rules, round: round, files: devices.indices.map { save($0) })
        judge.judgeConvergence()
        for finding in judge.findings { report(finding) }
    }

    /// Whether the saves of a device's game in this round tell which contents of the file it had read.
    private func isClear(_ device: Int) -> Bool {
        let plays = round.plays.filter { $0.device == device }
        return !plays.isEmpty && plays.allSatisfy { $0.isClear(among: $0.earlier.compactMap { save($0) }) }
    }

    /// The files as the laws see them. Where they are explained by other contents that games may have read, for all that
    /// their saves tell, nothing is wrong that anybody could have known.
    private func judge(_ files: [ParsedSave?]) -> Judge {
        let asItWas = judge(files, round)
        guard !asItWas.findings.isEmpty else { return asItWas }
        let others = round.otherReadings { self.save($0) }.lazy.map { self.judge(files, $0) }
        return others.first { $0.findings.isEmpty } ?? asItWas
    }

    private func judge(_ files: [ParsedSave?], _ round: Round) -> Judge {
        var judge = Judge(names: names, rules: game.rules, round: round, files: files)
        judge.judgeConvergence()
        // Files that differ are told once, and not for every place again.
        if judge.findings.isEmpty { judge.judgeIdentity() }
        if judge.findings.isEmpty { judge.judgePlaces() }
        return judge
    }

    /// The words are true: who is said to be in step has the same in its file, and when nothing stands between the
    /// devices, they are in step.
    private func checkWords(_ words: [Words], _ files: [ParsedSave?], isQuiet: Bool) {
        for device in devices.indices where devices[device].isRunning {
            for other in devices.indices where other != device && words[device].inStep.contains(names[other]) {
                // An agent without a record keeps no file, so nobody can know what its game writes. Copies of one device are
                // one to the others, who know what one of them has.
                guard !isRecordLost[other], isQuiet || !hasCopies(other) else { continue }
                let (own, others) = (files[device], files[other])
                guard own !== others, own?.shared != others?.shared else { continue }
                report(
                    HouseholdFinding(
                        .status, device: names[device], expected: own?.value.text, found: others?.value.text,
                        message: "says that \(names[other]) is in step, whose file holds something else"))
            }
            guard isQuiet else { continue }
            if !hadCopies, let other = words[device].behind.first {
                report(.status, device, "says that \(other) lacks something, though nothing stands between them")
            }
            if let trouble = words[device].troubles.first {
                report(.status, device, "is not in step, though nothing stands in the way: \(trouble)")
            }
        }
    }
}
