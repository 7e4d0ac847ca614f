import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Rounds in which a game itself says that it starts over, or writes what its rule cannot read.
extension HouseholdRun {
    // MARK: A game starts over

    /// A game names a scope in the field that its rules set apart for that (`resetAt`), or writes anything else there:
    /// what its save holds is the new start, and all else in the save is play. Another device may be away and play.
    mutating func startOverByGame(_ round: inout HouseholdRound) {
        guard let field = home.rules.resetAt else { return }
        let device = anyDevice()
        let away = awayPlays(but: device, &round)
        guard let file = home.file(device) else { return }
        let (rules, scope) = (home.rules, home.rules.resets.first)
        func covers(_ name: String) -> Bool {
            rules.rule(at: Place.root.appending(.member(name))).merge != .local
                && (scope?.members.contains(name) ?? true)
        }
        let start = home.game.save(&dice)
        let played = home.game.play(file, &dice)
        let mayBeAsked = SaveMeaning(from: file, to: played, rules: rules).mayBeAsked
        var next = mayBeAsked || dropsFlag(from: file, to: played) ? file : played
        for name in names(file, next, start) where covers(name) { next = next.setting(name, to: start[name]) }
        // The field asks when it changes, so the same word twice asks once.
        let word = JSON.string(scope?.name ?? "all")
        let asking = same(file[field], word) || dice.once(in: 2) ? JSON.number("\(round.number)") : word
        save(next.setting(field, to: asking), from: file, on: device, &round)
        wait(1...4_000)
        comeBack(away)
        home.settle()
        for asked in home.devices.indices where home.question(asked) == .purse && asked != device {
            tally["asked of a purse", default: 0] += 1
            act(AcceptRequest(profile: "game", apart: false), on: asked, round)
            home.settle()
        }
        if home.question(device) != nil {
            let said = "\(home.words(device))"
            note(round, Finding(.words, "asked of a game that starts over", found: said), on: device)
        }
        // What starts over holds what the save holds, as if it had never been otherwise.
        func anew(_ document: JSON?) -> JSON? {
            guard var document else { return nil }
            for name in names(document, next) where covers(name) { document = document.setting(name, to: next[name]) }
            return document
        }
        var judged = HouseholdRound(round.number, round.kind, before: round.before.map(anew))
        (judged.after, judged.bases) = (round.after.map(anew), round.bases.map(anew))
        (judged.times, judged.writers) = (round.times, round.writers)
        judgeWords(judged)
        judgeFiles(judged)
        if let away, let after = round.after[away], let before = round.before[away],
            home.rules.playedMembers(from: before, to: after).contains(where: covers)
        {
            judgeOverridden(away, after, round)
        }
        if findings.isEmpty { startAnew(round) }
    }

    private func names(_ documents: JSON...) -> [String] {
        var seen = Set<String>()
        return documents.flatMap { $0.members ?? [] }.map(\.name).filter { seen.insert($0).inserted }
    }

    // MARK: A value that its rule cannot read

    /// A game writes a word where a number is counted, and a number again later. The word stays in its file and is no
    /// operation anywhere else; its status names the place, and no sync says that this file is in step.
    mutating func playUnread(_ first: inout HouseholdRound) {
        let device = anyDevice()
        guard let file = home.file(device) else { return }
        let counters = file.leaves(home.rules).compactMap { place, rule -> (place: Place, old: JSON)? in
            guard rule.merge == .counter, !isOwed("\(place)"), let old = file.at(place) else { return nil }
            // Where nothing counts (a zero, such as a reset leaves), the word travels as it is, and all files hold it.
            return Self.count(old).map { $0 > 0 } == true ? (place, old) : nil
        }
        guard !counters.isEmpty else { return }
        let (place, old) = dice.pick(counters)
        let word = JSON.string(dice.pick(["plenty", "NaN", "1O0"]))
        // The file as if the number still stood there.
        func read(_ file: JSON?, _ number: JSON = old) -> JSON? { file?.changed(place.steps[...]) { _ in number } }
        func play(_ file: JSON) -> JSON {
            let next = home.game.play(file, &dice)
            let isAsked = SaveMeaning(from: file, to: read(next), rules: home.rules).mayBeAsked
            return next.at(place) == nil || isAsked || dropsFlag(from: file, to: next) ? file : next
        }
        save(read(play(file), word) ?? file, from: file, on: device, &first)
        home.settle()
        tally["a value not read", default: 0] += 1
        judgeUnread(place, word, old, on: device, first)
        guard findings.isEmpty else { return }
        first.after[device] = read(first.after[device])
        first.asRead = { file, other in other == device ? read(file) : file }
        finish(first)
        func round() -> HouseholdRound {
            let files = home.devices.indices.map { first.asRead(home.file($0), $0) }
            return HouseholdRound(first.number, first.kind, before: files)
        }
        if findings.isEmpty, dice.once(in: 2) {
            let other = anyDevice(but: device)
            guard let there = home.file(other), there.at(place) != nil, let next = read(play(there)) else { return }
            noteDebts()
            var meanwhile = round()
            meanwhile.asRead = first.asRead
            save(next, from: there, on: other, &meanwhile)
            finish(meanwhile)
            if findings.isEmpty { judgeUnread(place, word, old, on: device, meanwhile) }
        }
        guard findings.isEmpty, let now = home.file(device), same(now.at(place), word), let number = Self.count(old)
        else { return }
        noteDebts()
        var last = round()
        let amount = number + dice.number(1...40)
        let again: JSON = if case .string = old { .string("\(amount)") } else { .number("\(amount)") }
        save(read(now, again) ?? now, from: last.before[device], on: device, &last)
        finish(last)
    }

    /// A whole number that is not below zero.
    private static func count(_ value: JSON) -> Int? {
        let number: Int? =
            switch value {
            case .number(let text), .string(let text): Int(text)
            default: nil
            }
        return number.flatMap { $0 < 0 ? nil : $0 }
    }

    private mutating func judgeUnread(
        _ place: Place, _ word: JSON, _ old: JSON, on device: Int, _ round: HouseholdRound
    ) {
        func tell(_ kind: String, _ expected: String, _ found: String, _ other: Int) {
            let finding = Finding(
                .words, kind, rule: home.rules.rule(at: place).yaml, place: "\(place)", expected: expected, found: found
            )
            note(round, finding, on: other)
        }
        for other in home.devices.indices {
            let expected = other == device ? word : old
            let found = home.file(other)?.at(place)
            if same(expected, found, spelling: false) { continue }
            tell("what is not read counts", expected.text(), found?.text() ?? "nothing", other)
        }
        let said = home.words(device)
        if !said.contains(where: { $0.hasPrefix("not read: \(place)") }) {
            tell("a value not read, and status is silent", "not read: \(place)", "\(said)", device)
        }
        for other in home.devices.indices {
            let inStep = home.inStep(other).filter { other == device || $0 == home.devices[device].name }
            if !inStep.isEmpty { tell("a value not read, and said to be in step", "nobody", "\(inStep)", other) }
        }
    }
}
