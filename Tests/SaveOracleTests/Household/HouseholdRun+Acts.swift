import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Rounds in which the player takes something back, starts over, or puts a backup back.
extension HouseholdRun {
    // MARK: Undo

    mutating func playAndUndo(_ round: inout HouseholdRound) {
        let writer = anyDevice()
        session(on: writer, &round, atMost: 1)
        home.settle()
        // The answer to what is asked of a purse is a step of its own, and the newest one then.
        let asked = home.question(writer) == .purse ? home.file(writer) : nil
        guard !isAnswered(round) else { return }
        let unanswered = asked.flatMap { same($0, home.file(writer)) ? nil : $0 }
        let (before, after) = (round.before[writer], round.after[writer])
        // An order alone is no step of the history, nor is what is the device's own, nor what a rule put back.
        let isStep = [after, home.file(writer)].allSatisfy {
            !same(before.flatMap(essence), $0.flatMap(essence), spelling: false)
        }
        if isStep, !isGuessSaid(round) {
            story.append("round \(round.number): \(home.devices[writer].name) takes it back")
            if case .failure(_, let why)? = home.ask(UndoRequest(profile: "game", step: nil, force: false), on: writer)
            {
                tally["not undone", default: 0] += 1
                story.append("not undone: \(why)")
            } else {
                round.after[writer] = unanswered ?? takenBack(from: after, to: before)
                round.undone = writer
            }
        }
        finish(round)
        if isStep, findings.isEmpty, let after { playOn(anyDevice(but: writer), after: round, takenBack: after) }
    }

    /// The game of another device, which has read what was taken back and that it was, changes the same place.
    private mutating func playOn(_ device: Int, after former: HouseholdRound, takenBack: JSON) {
        guard let file = home.file(device) else { return }
        let moved = (takenBack.members ?? []).map(\.name).filter { !isLocal($0) && !same(takenBack[$0], file[$0]) }
        for _ in 0..<12 {
            let next = home.game.play(file, &dice)
            guard moved.contains(where: { !same(next[$0], file[$0]) && !same(next[$0], takenBack[$0]) }),
                !moved.contains(where: { holdsAgain(takenBack[$0], next[$0], since: file[$0]) }),
                !SaveMeaning(from: file, to: next, rules: home.rules).mayBeAsked
            else { continue }
            tally["played on after an undo", default: 0] += 1
            noteDebts()
            var round = HouseholdRound(former.number, former.kind, before: home.devices.indices.map { home.file($0) })
            save(next, from: file, on: device, &round)
            return finish(round)
        }
    }

    /// Whether a list holds an element again that was taken back: nobody can tell that from a game that never read that
    /// it was.
    private func holdsAgain(_ takenBack: JSON?, _ next: JSON?, since file: JSON?) -> Bool {
        func ids(_ list: JSON?) -> Set<String> { Set((list?.elements ?? []).map(\.identity)) }
        return !ids(takenBack).subtracting(ids(file)).isDisjoint(with: ids(next))
    }

    func essence(_ document: JSON) -> JSON? { home.rules.essence(of: document) }

    /// What is the device's own is no part of what is taken back.
    private func takenBack(from saved: JSON?, to former: JSON?) -> JSON? {
        var result = former
        for member in (saved?.members ?? []) + (former?.members ?? []) where isLocal(member.name) {
            result = result?.setting(member.name, to: saved?[member.name])
        }
        return result
    }

    func isLocal(_ member: String) -> Bool {
        home.rules.rule(at: Place.root.appending(.member(member))).merge == .local
    }

    // MARK: Reset

    mutating func playAndReset(_ round: inout HouseholdRound) {
        let device = anyDevice()
        let scope = home.rules.resets.first
        let away = awayPlays(but: device, &round)
        let named = dice.once(in: 2) ? nil : scope?.name
        guard act(ResetRequest(profile: "game", scope: named), on: device, round) else { return }
        wait(1...4_000)
        comeBack(away)
        home.settle()
        // A purse that is asked about does not start over where the reset does not cover it. The game had read its file.
        if let away, home.question(away) == .purse {
            tally["asked of a purse", default: 0] += 1
            act(AcceptRequest(profile: "game", apart: false), on: away, round)
            home.settle()
        }
        let covers = { (name: String) in scope?.members.contains(name) ?? true }
        let writer = away ?? device
        for other in home.devices.indices {
            var former = round.before[other]
            for member in (round.after[writer]?.members ?? []) + (round.before[writer]?.members ?? [])
            where !isLocal(member.name) {
                let (old, new) = (round.before[writer]?[member.name], round.after[writer]?[member.name])
                if !same(old, new) { former = former?.setting(member.name, to: new) }
            }
            if other == writer { former = round.after[writer] }
            former = former.map { withDebts(of: home.file(other), in: $0) }
            let judge = FreshStart(
                rules: home.rules, former: former, earlier: round.before[other], found: home.file(other),
                covers: covers)
            for finding in judge.findings where !isOpenChoice(finding, round) {
                // What one away had read is a guess here as well; what starts over is none.
                if finding.kind == FreshStart.isMoved, isOfWrongGuess([finding], round, on: other) {
                    tally["a wrong guess, and said (\(round.kind))", default: 0] += 1
                } else {
                    note(round, finding, on: other)
                }
            }
        }
        if let away, let after = round.after[away], let before = round.before[away] {
            let isOverridden = home.rules.playedMembers(from: before, to: after).contains(where: covers)
            if isOverridden { judgeOverridden(away, after, round) }
        }
        judgeWords(round)
        guard findings.isEmpty else { return }
        let isStep = !same(round.before[device].flatMap(essence), home.file(device).flatMap(essence), spelling: false)
        if away == nil, isStep, dice.once(in: 3) {
            guard act(UndoRequest(profile: "game", step: nil, force: false), on: device, round) else { return }
            return finish(round)
        }
        startAnew(round)
    }

    /// A document with the amounts that a file shows where a purse is in debt: what is earned pays that first.
    private func withDebts(of file: JSON?, in document: JSON) -> JSON {
        document.leaves(home.rules).reduce(document) { result, leaf in
            guard leaf.rule.merge == .counter, isOwed("\(leaf.place)"), let amount = file?.at(leaf.place) else {
                return result
            }
            return result.changed(leaf.place.steps[...]) { _ in amount }
        }
    }

    /// Places of an open choice may differ from device to device.
    private func isOpenChoice(_ finding: Finding, _ round: HouseholdRound) -> Bool {
        let name = finding.place.dropFirst().prefix { $0 != "/" }
        return home.rules.rules.contains { $0.rule.merge == .choice && $0.pattern.steps.first == .name(String(name)) }
    }

    /// The game reads what is left, and begins a new life: what it saves then is where everybody goes on from.
    mutating func startAnew(_ former: HouseholdRound) {
        let device = anyDevice()
        var round = HouseholdRound(former.number, former.kind, before: home.devices.indices.map { home.file($0) })
        guard let file = round.before[device] else { return }
        // What was removed apart from what started over may be in debt by now.
        noteDebts()
        round.isAnew = true
        save(home.game.play(file, &dice), from: file, on: device, &round)
        finish(round)
    }

    // MARK: Restore

    mutating func playAndRestore(_ round: inout HouseholdRound) {
        let device = anyDevice()
        let away = awayPlays(but: device, &round)
        let backups = home.backups(device)
        guard !backups.isEmpty else {
            comeBack(away)
            return finish(round)
        }
        let backup = dice.pick(backups)
        guard let document = JSON(backup.text) else {
            return note(round, Finding(.words, "a backup is no save", expected: "JSON", found: backup.text), on: device)
        }
        story.append("round \(round.number): \(home.devices[device].name) puts back \(document.text())")
        guard act(RestoreBackupRequest(profile: "game", backup: backup.name), on: device, round) else { return }
        wait(1...4_000)
        comeBack(away)
        home.settle()
        expectEverywhere(document, "restored", round)
        if let away, let after = round.after[away], let before = round.before[away],
            !same(essence(after), essence(before), spelling: false), !same(essence(after), essence(document))
        {
            judgeOverridden(away, after, round)
        }
        judgeWords(round)
    }

    // MARK: Away meanwhile

    /// Perhaps another device is away, and played there; its save must not be one that is asked about.
    mutating func awayPlays(but device: Int, _ round: inout HouseholdRound) -> Int? {
        guard dice.once(in: 2) else { return nil }
        let away = anyDevice(but: device)
        guard let file = home.file(away) else { return nil }
        let next = home.game.play(file, &dice)
        guard !SaveMeaning(from: file, to: next, rules: home.rules).mayBeAsked, !dropsFlag(from: file, to: next) else {
            return nil
        }
        home.cut(off: away, true, isLine: isLine)
        home.run(milliseconds: 1_000)
        save(next, from: file, on: away, &round)
        wait(1_000...4_000)
        return away
    }

    /// Whether a flag is gone from what is still there: its rule keeps it, so the save does not stand as it is.
    func dropsFlag(from file: JSON, to next: JSON, at place: Place = .root) -> Bool {
        home.rules.parts(of: file, at: place).contains { part in
            let inner = place.appending(part.step)
            guard let after = next.at(part.step) else { return home.rules.rule(at: inner).merge == .flag }
            return dropsFlag(from: part.value, to: after, at: inner)
        }
    }

    mutating func comeBack(_ away: Int?) {
        if let away { home.cut(off: away, false, isLine: isLine) }
    }

    /// Progress that gave way is in the backups, and somebody says so.
    mutating func judgeOverridden(_ away: Int, _ save: JSON, _ round: HouseholdRound) {
        tally["overridden", default: 0] += 1
        let isKept = home.backups(away).contains { same(JSON($0.text), save) }
        if !isKept {
            note(round, Finding(.words, "overridden, and no backup", expected: save.text(), found: "none"), on: away)
        }
        if home.words(away).isEmpty {
            note(round, Finding(.words, "overridden, and not said", expected: "a remark", found: "nothing"), on: away)
        }
        _ = home.ask(KeepRequest(profile: "game"), on: away)
    }
}
