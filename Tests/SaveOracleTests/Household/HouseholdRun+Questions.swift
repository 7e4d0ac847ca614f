import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Saves that are asked about, and the answers.
extension HouseholdRun {
    /// A save that holds less than before; perhaps the game plays on from it.
    mutating func playWithLoss(_ round: inout HouseholdRound) {
        let device = anyDevice()
        guard let file = home.file(device) else { return }
        var next = file
        for _ in 0..<8 where !SaveMeaning(from: file, to: next, rules: home.rules).mayBeAsked {
            next = home.game.play(file, &dice, losing: dice.number(1...4))
        }
        save(next, from: file, on: device, &round)
        guard round.kind == .goneOn else { return finish(round) }
        home.settle()
        let isAsked = home.question(device) == .heldLess
        let played = home.game.play(next, &dice)
        let mayBeAsked = SaveMeaning(from: next, to: played, rules: home.rules).mayBeAsked
        // A save of the very document that was put back changes nothing in the file: the question stands as it was.
        let isSeen = !same(played, home.file(device))
        // Where it comes back to what was put in its place, it may as well have read that.
        let comesBack = home.file(device).map { shown in
            shown.leaves(home.rules).contains { place, _ in
                if let list = shown.at(place)?.elements, let again = played.at(place)?.elements {
                    let former = next.at(place)?.elements ?? []
                    return list.contains { element in
                        !former.contains { same($0, element) } && again.contains { same($0, element) }
                    }
                }
                return !same(next.at(place), shown.at(place)) && same(played.at(place), shown.at(place))
            }
        }
        guard isAsked, !mayBeAsked, isSeen, comesBack == false else { return finish(round) }
        save(played, from: next, on: device, &round)
        home.settle()
        // The session goes on, and it is asked about still.
        guard home.question(device) == .heldLess else {
            // Nobody can tell what it earned since: that is a question as well.
            if home.question(device) == .purse { return finish(round) }
            // What it plays may also look like play on what was put in the save's place.
            if isGuessSaid(round) {
                tally["a wrong guess, and said (\(round.kind))", default: 0] += 1
                return finish(round)
            }
            let said = "\(home.words(device))"
            return note(round, Finding(.words, "played on, and asked no more", found: said), on: device)
        }
        tally["played on while asked", default: 0] += 1
        judgeAlike(round)
        accept(device, round)
    }

    /// Whether a question was asked and answered, so that the round is judged already. What is asked of a purse is
    /// answered as it was, and the round is judged like any other then.
    mutating func isAnswered(_ round: HouseholdRound) -> Bool {
        guard findings.isEmpty else { return true }
        var isOver = false
        for device in home.devices.indices {
            if isPurseGone(device, round) {
                tally["asked of a purse that was removed", default: 0] += 1
                isOver = true
                act(KeepRequest(profile: "game"), on: device, round)
                home.settle()
                guard home.saysThatNoAnswerCounts(device) else { continue }
                let said = "\(home.words(device))"
                note(round, Finding(.words, "answered, and asked still", found: said), on: device)
                continue
            }
            switch home.question(device) {
            case .purse?:
                tally["asked of a purse", default: 0] += 1
                let isOfOlderStates = isPurseOfOlderStates(device, round)
                story.append("round \(round.number): \(home.devices[device].name) asks \(home.words(device))")
                act(AcceptRequest(profile: "game", apart: isUnread(device, round)), on: device, round)
                home.settle()
                if isOfOlderStates {
                    tally["asked of a purse, of older states", default: 0] += 1
                    isOver = true
                }
            case .heldLess?:
                tally["asked", default: 0] += 1
                if isOver {
                    act(KeepRequest(profile: "game"), on: device, round)
                    home.settle()
                    continue
                }
                isOver = true
                let isAlone = round.writers.count == 1
                let isOfFormerSave = isOfFormerSave(device, round)
                // Against another state than was read, the question is another one.
                let isClear = round.unwatched != device && !isGuessSaid(round) && !isOfFormerSave
                if isAlone, isClear { judgeStanding(device, round) }
                // To accept a former save would take back what was played since.
                let isKept = isAlone && dice.once(in: 2) || isOfFormerSave
                if isKept { keep(device, round) } else { accept(device, round) }
            case .overtaken?:
                tally["overtaken", default: 0] += 1
                isOver = true
                keep(device, round)
            case nil: continue
            }
        }
        return isOver
    }

    /// Whether what was asked of a purse has no answer any more, since another game removed a counter that the save of
    /// this device holds.
    private func isPurseGone(_ device: Int, _ round: HouseholdRound) -> Bool {
        guard home.saysThatNoAnswerCounts(device), let save = round.after[device] else { return false }
        return save.leaves(home.rules).contains { place, rule in
            rule.merge == .counter
                && round.writers.contains {
                    $0 != device && round.bases[$0]?.at(place) != nil && round.after[$0]?.at(place) == nil
                }
        }
    }

    /// Whether a game had not read what another one did to a counter of its save.
    private func isUnread(_ device: Int, _ round: HouseholdRound) -> Bool {
        guard round.isStale(device), let save = round.after[device] else { return false }
        return round.writers.contains { other in
            other != device
                && save.leaves(home.rules).contains { place, rule in
                    rule.merge == .counter && !same(round.bases[other]?.at(place), round.after[other]?.at(place))
                }
        }
    }

    func isPurseOfOlderStates(_ device: Int, _ round: HouseholdRound) -> Bool {
        guard let save = round.after[device], let base = round.bases[device] else { return false }
        if isUnread(device, round) {
            return PurseQuestion.isOfOtherStates(save: save, base: base, words: home.words(device), rules: home.rules)
        }
        return PurseQuestion.isOfOlderStates(save: save, base: base, states: states, rules: home.rules)
    }

    /// Whether a save has something lowered that only grows, and yet nothing less than an older state, and a value of
    /// that state in place of the one it was played on. Then nobody can tell that its game had not read the older one.
    func fitsOlderState(_ device: Int, _ round: HouseholdRound) -> Bool {
        guard let save = round.after[device], let base = round.bases[device] else { return false }
        func lowers(_ state: JSON) -> Bool { SaveMeaning(from: state, to: save, rules: home.rules).lowered > 0 }
        guard lowers(base) else { return false }
        return states.contains { state in
            !lowers(state)
                && save.leaves(home.rules).contains { place, rule in
                    let value = save.at(place)
                    return rule.merge != .local && same(state.at(place), value) && !same(base.at(place), value)
                }
        }
    }

    /// Whether a save whose game had not read what another one saved holds, by chance, all that the other one changed,
    /// but for counters that went further or are nearer to that save than to what was read: then it is what play on that
    /// other save would be, and nobody can tell. The same where both saved one and the same document.
    func looksLikePlayOnAnother(_ device: Int, _ round: HouseholdRound) -> Bool {
        guard round.isStale(device), let save = round.after[device], let base = round.bases[device] else {
            return false
        }
        return round.writers.contains { other in
            guard other != device, let theirs = round.after[other] else { return false }
            if same(essence(save), essence(theirs), spelling: false) { return true }
            let changed = (theirs.leaves(home.rules) + base.leaves(home.rules)).filter { place, rule in
                rule.merge != .local && !same(theirs.at(place), base.at(place))
            }
            func isCounter(_ item: (place: Place, rule: Rule)) -> Bool { item.rule.merge == .counter }
            return changed.contains { !isCounter($0) }
                && changed.allSatisfy { item in
                    guard isCounter(item) else { return same(save.at(item.place), theirs.at(item.place)) }
                    let amounts = [save, theirs, base].map { $0.at(item.place).flatMap(item.rule.number) }
                    guard let here = amounts[0], let there = amounts[1] else { return false }
                    return !(here < there) || amounts[2].map { here.isNearer(to: there, than: $0) } ?? false
                }
        }
    }

    /// Whether the question is about a save before the last one: the game read what was put in its place, and what it
    /// plays from there counts while the question stands.
    private func isOfFormerSave(_ device: Int, _ round: HouseholdRound) -> Bool {
        let isAsked = { SaveMeaning(from: $0, to: $1, rules: self.home.rules).mayBeAsked }
        // Nobody can tell whether it went on from the save that is asked about, or from what was put in its place.
        let isTaken = home.devices.indices.allSatisfy {
            same(home.file($0).flatMap(essence), round.after[device].flatMap(essence), spelling: false)
        }
        if isTaken { return !round.between[device].isEmpty }
        return !isAsked(round.bases[device], round.after[device])
            && round.between[device].contains { isAsked(round.before[device], $0) }
    }

    /// Files never drift: whatever is guessed, and while a save is asked about and its game goes on from it, all of them
    /// hold the same, but for each one's own value of an open choice.
    mutating func judgeAlike(_ round: HouseholdRound) {
        let isOpen = home.devices.indices.contains { !home.openChoices($0).isEmpty }
        let files = home.devices.indices.map { device in
            round.asRead(home.file(device), device).flatMap { home.rules.essence(of: $0, withChoices: !isOpen) }
        }
        for device in files.indices where !same(files[device], files[0], spelling: false) {
            let (expected, found) = (home.text(0) ?? "nothing", home.text(device) ?? "nothing")
            note(round, Finding(.words, "files differ", expected: expected, found: found), on: device)
        }
    }

    /// While it is asked: the household's document in every file, and all that can lose nothing.
    private mutating func judgeStanding(_ device: Int, _ round: HouseholdRound) {
        for other in home.devices.indices {
            let judge = StandingQuestion(
                rules: home.rules, known: known, base: round.bases[device], save: round.after[device],
                found: home.file(other), isOwn: other == device, open: home.openChoices(other),
                earlier: states, wasReset: wasReset)
            for finding in judge.findings { note(round, finding, on: other) }
            judgeHalves(round, on: other)
        }
        if !SaveMeaning(from: round.bases[device], to: round.after[device], rules: home.rules).mayBeAsked {
            note(round, Finding(.words, "asked about play", expected: "no question", found: "\(home.words(device))"))
        }
    }

    private mutating func keep(_ device: Int, _ round: HouseholdRound) {
        tally["kept", default: 0] += 1
        let standing = home.devices.indices.map { home.text($0) }
        act(KeepRequest(profile: "game"), on: device, round)
        home.settle()
        for other in home.devices.indices where home.text(other) != standing[other] {
            let (expected, found) = (standing[other] ?? "nothing", home.text(other) ?? "nothing")
            note(round, Finding(.words, "moved by keep", expected: expected, found: found), on: other)
        }
        judgeSettled(device, round)
    }

    private mutating func accept(_ device: Int, _ round: HouseholdRound) {
        tally["accepted", default: 0] += 1
        act(AcceptRequest(profile: "game", apart: false), on: device, round)
        home.settle()
        expectEverywhere(round.after[device], "accepted", round)
        judgeSettled(device, round)
    }

    private mutating func judgeSettled(_ device: Int, _ round: HouseholdRound) {
        if home.question(device) != nil {
            note(round, Finding(.words, "answered, and asked still", found: "\(home.words(device))"), on: device)
        }
        judgeWords(round)
    }
}
