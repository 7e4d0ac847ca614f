import HouseholdAgent
import HouseholdSimulation
import MergeCore
import SaveOracle

/// Rounds in which games save, and nobody does anything else to a save.
extension HouseholdRun {
    /// One save of a game.
    ///
    /// - Returns: Whether the save may be asked about.
    @discardableResult
    mutating func save(
        _ next: JSON, from base: JSON?, on device: Int, _ round: inout HouseholdRound, inPlace: Bool = false,
        isSeen: Bool = false
    ) -> Bool {
        if round.writers.contains(device) {
            round.between[device].append(round.after[device])
        } else {
            round.writers.append(device)
        }
        round.after[device] = next
        round.bases[device] = base
        if let purse = amount(next), purse < 0 { isBelowZeroAllowed = true }
        round.times[device] = Int(home.household.now.milliseconds)
        if isSeen { home.saveSeen(next, on: device) } else { home.save(next, on: device, inPlace: inPlace) }
        story.append(
            "round \(round.number) \(round.kind): \(home.devices[device].name) "
                + "saves \(inPlace ? "in place " : "")\(next.text())")
        for former in [base, lastSave] { remember(former) }
        lastSave = next
        // What nobody looked at is no state that the agent knows of.
        if round.isUnwatched(device) { round.bases[device] = round.before[device] }
        return SaveMeaning(from: round.bases[device], to: next, rules: home.rules).mayBeAsked
    }

    mutating func wait(_ milliseconds: ClosedRange<Int>) {
        home.run(milliseconds: Int64(dice.number(milliseconds)))
    }

    mutating func anyDevice(but other: Int? = nil) -> Int {
        dice.pick(home.devices.indices.filter { $0 != other })
    }

    /// One device plays a few times from what its file holds, until a save may be asked about.
    mutating func session(on device: Int, _ round: inout HouseholdRound, atMost saves: Int = 3) {
        for _ in 0..<dice.number(1...saves) {
            guard let file = home.file(device) else { return }
            let next = home.game.play(file, &dice)
            let isInPlace = round.kind == .inPlace || dice.once(in: 8)
            let isAsked = save(next, from: file, on: device, &round, inPlace: isInPlace)
            wait(isInPlace ? 1_000...4_000 : 1...4_000)
            // What a purse holds while it is asked about is no save of the game.
            if isAsked || home.question(device) == .purse { return }
        }
    }

    mutating func playAlone(_ round: inout HouseholdRound) {
        let writer = anyDevice()
        let other = anyDevice(but: writer)
        switch round.kind {
        case .offline: home.cut(off: other, true, isLine: isLine)
        case .restarted: home.household.kill(home.devices[other])
        case .paused:
            let paused = dice.once(in: 2) ? other : writer
            round.unwatched = paused
            act(PauseRequest(profile: "game"), on: paused, round)
        case .killed: return playKilled(writer, &round)
        default: break
        }
        session(on: writer, &round)
        switch round.kind {
        case .offline: home.cut(off: other, false, isLine: isLine)
        case .restarted: start(other)
        case .paused: for device in [writer, other] { _ = home.ask(ResumeRequest(profile: "game"), on: device) }
        default: break
        }
    }

    /// The agent of the writer ends without a word, before or after saves, and is started again.
    private mutating func playKilled(_ writer: Int, _ round: inout HouseholdRound) {
        var isRunning = true
        round.unwatched = writer
        for _ in 0..<dice.number(1...3) {
            guard let file = home.file(writer), !isPutBack(file, writer, round) else { break }
            let next = home.game.play(file, &dice)
            let isAsked = save(next, from: file, on: writer, &round, inPlace: dice.once(in: 4))
            wait(0...400)
            if isRunning { home.household.kill(home.devices[writer]) } else { start(writer) }
            let name = home.devices[writer].name
            story.append("round \(round.number): the agent of \(name) is \(isRunning ? "killed" : "back")")
            isRunning.toggle()
            wait(0...2_000)
            if isAsked { break }
        }
        if !isRunning { start(writer) }
    }

    /// Whether a file holds another amount than its game saved last: what a purse holds while it is asked about is no save
    /// of the game.
    private func isPutBack(_ file: JSON, _ device: Int, _ round: HouseholdRound) -> Bool {
        guard round.writers.contains(device), let saved = round.after[device] else { return false }
        return saved.leaves(home.rules).contains { place, rule in
            rule.merge == .counter && !same(saved.at(place), file.at(place))
        }
    }

    mutating func start(_ device: Int) {
        guard !home.devices[device].isRunning else { return }
        do { try home.household.start(home.devices[device]) } catch { story.append("not started: \(error)") }
    }

    /// Every device decides one choice for the same value, apart from the others. That is no question, and what one of
    /// them decides next counts everywhere.
    mutating func decideAlike(_ first: inout HouseholdRound) {
        let path = Field.Wish.path.rawValue
        guard home.devices.indices.allSatisfy({ home.openChoices($0).isEmpty }) else { return }
        home.part(true, isLine: isLine)
        home.run(milliseconds: 1_000)
        for device in home.devices.indices.shuffled(using: &dice) {
            guard let file = home.file(device), file[path] != nil else { continue }
            let next = file.setting(path, to: .string("the same in \(first.number)"))
            save(next, from: file, on: device, &first, isSeen: true)
        }
        home.part(false, isLine: isLine)
        finish(first)
        let device = anyDevice()
        guard findings.isEmpty, let file = home.file(device), file[path] != nil else { return }
        var second = HouseholdRound(first.number, first.kind, before: home.devices.indices.map { home.file($0) })
        let next = file.setting(path, to: .string("anew in \(first.number)"))
        save(next, from: file, on: device, &second, isSeen: true)
        finish(second)
        for other in home.devices.indices where findings.isEmpty && !home.openChoices(other).isEmpty {
            let found = "\(home.openChoices(other))"
            note(second, Finding(.words, "decided, and open again", place: "/\(path)", found: found), on: other)
        }
    }

    /// Every device plays once.
    mutating func playTogether(_ round: inout HouseholdRound) {
        if round.kind == .apart {
            home.part(true, isLine: isLine)
            // What was under way still arrives.
            home.run(milliseconds: 1_000)
        }
        for writer in home.devices.indices.shuffled(using: &dice) {
            // What came in meanwhile is in the file, but not in the memory of a game that goes on.
            if round.kind == .stale, !round.writers.isEmpty { home.run(milliseconds: 10_000) }
            guard let file = round.kind == .stale ? round.before[writer] : home.file(writer) else { break }
            save(home.game.play(file, &dice), from: file, on: writer, &round, inPlace: dice.once(in: 8))
            wait(400...4_000)
        }
        if round.kind == .apart { home.part(false, isLine: isLine) }
    }
}
