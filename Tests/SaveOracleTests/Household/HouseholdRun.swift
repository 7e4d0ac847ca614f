import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Some rounds of play in a household, each judged when all is quiet.
struct HouseholdRun {
    /// What a round was.
    enum Kind: String, CaseIterable {
        /// One device plays, several times; or writes into the file that is there.
        case oneWriter, inPlace
        /// Every device plays once, and none hears of the others.
        case apart
        /// Every device decides one choice for the same value, and none hears of the others; then one decides anew.
        case alike
        /// One plays while another is away, or its agent is gone, or paused.
        case offline, restarted, paused
        /// One plays while its own agent is killed and started again.
        case killed
        /// One plays; then a game elsewhere saves that has not read what came in.
        case stale
        /// Nothing but a purse changes, and then again in a game that may have read that or not.
        case purse
        /// A purse is spent apart, or taken below zero by one game, and earned back.
        case overspent
        /// One plays on from what came in, and lowers a record that came in with it.
        case lowered
        /// One plays, and takes it back.
        case undone
        /// A save is deleted; is renamed and written anew; goes on in another folder.
        case deleted, renamed, moved
        /// The write of a save does not finish, while another device may play.
        case damaged
        /// A part, or everything, starts over; a backup is put back: while another device may be away and play.
        case reset, restored
        /// A game says by itself that it starts over; writes a word where a number is counted.
        case startedOver, unread
        /// A game removes something; a reset is taken back; a game adds what was removed again, with other values.
        case resetUndone
        /// A save holds less than before: asked about, and answered; or its game plays on first.
        case asked, goneOn
        /// A save goes to a device that is away in a file, as a transfer or as a plain document.
        case carried, imported

        /// What a game must hold for it to happen at all.
        var needs: [Field.Wish] {
            switch self {
            case .purse, .overspent: [.purse]
            case .lowered: [.purse, .record, .unlocked]
            case .deleted, .damaged: [.device]
            case .alike: [.path]
            case .unread: [.purse]
            case .resetUndone: [.herd, .crew]
            default: []
            }
        }
    }

    var findings: [(round: Int, kind: Kind, finding: Finding)] = []
    /// Rounds of each kind that were judged, and what was said and asked.
    var tally: [String: Int] = [:]
    /// What was written and what came of it, for a report.
    var story: [String] = []
    /// Places that a device said to be open when the round began.
    private var owed: Set<String> = []
    /// Whether anything ever started over.
    private(set) var wasReset = false
    /// Whether a game ever took the purse below zero: from then on that is its way to count.
    var isBelowZeroAllowed = false
    /// What ever stood in a file, or was saved, be it that a reset or a restore put it aside at once.
    var known = KnownPlaces()
    /// The last save of a game: the next one finds it known.
    var lastSave: JSON?
    /// All that stood in a file or was saved, each once, for what a game may have read.
    private(set) var states: [JSON] = []
    var dice: Dice

    let home: OracleHousehold
    let isLine: Bool
    private let kinds: [Kind]

    init(seed: UInt64, kinds: [Kind]) throws {
        self.kinds = kinds
        var dice = Dice(seed: seed)
        let count = dice.number(2...3)
        isLine = count > 2 && dice.once(in: 2)
        // Half of the games are as chance makes them.
        let isWished = kinds.count == 2 && dice.once(in: 2)
        let needs = kinds.count == 2 ? kinds[1].needs : []
        let wishes = Field.Wish.allCases.filter { isWished || needs.contains($0) }
        let form = OracleHousehold.Form(
            devices: count, isLine: isLine, wishes: wishes, startsOver: kinds.count == 2 && kinds[1] == .startedOver)
        home = try OracleHousehold(seed: seed, form, dice: &dice)
        self.dice = dice
        story.append("\(home.rules.yaml)\(count) devices\(isLine ? " in a line" : "")")
        let first = home.text(0)
        for device in 1..<count where home.text(device) != first && !hasLocal {
            let kind = same(home.file(device), JSON(first ?? "")) ? "restored otherwise spelled" : "restored"
            note(
                HouseholdRound(0, .oneWriter, before: []),
                Finding(.oneWriter, kind, expected: first ?? "nothing", found: home.text(device) ?? "nothing")
            )
        }
        judgeWords(HouseholdRound(0, .oneWriter, before: []))
    }

    var hasLocal: Bool { home.rules.resetAt != nil || home.rules.rules.contains { $0.rule.merge == .local } }

    mutating func play(rounds: Int) {
        for number in 1...rounds where findings.isEmpty {
            var round = HouseholdRound(number, dice.pick(kinds), before: home.devices.indices.map { home.file($0) })
            for (device, file) in round.before.enumerated() {
                remember(file)
                if let purse = amount(file), purse < 0 { isBelowZeroAllowed = true }
                // Of a game whose every place is a device's own, nothing comes to another device.
                guard file == nil, round.before.contains(where: isShared) else { continue }
                return note(round, Finding(.oneWriter, "no file", expected: "a save", found: home.text(device) ?? ""))
            }
            // What was said of former saves is settled, so that what is said is of this round.
            for device in home.devices.indices { _ = home.ask(KeepRequest(profile: "game"), on: device) }
            noteDebts()
            story.append("round \(number) begins with \(round.before[0]?.text() ?? "")")
            tally["\(round.kind)", default: 0] += 1
            if [.reset, .startedOver, .resetUndone].contains(round.kind) { wasReset = true }
            play(&round)
        }
    }

    /// Remembers what stands in a file, or was saved before.
    mutating func remember(_ document: JSON?) {
        guard let document, !states.contains(where: { same($0, document) }) else { return }
        known.add(document, rules: home.rules)
        states.append(document)
    }

    /// Remembers what is said to be open, before somebody plays on.
    mutating func noteDebts() {
        owed = Set(
            home.devices.indices.flatMap { home.words($0) }.filter { $0.hasPrefix("decide: ") }
                .map { String($0.dropFirst("decide: ".count)) })
    }

    private mutating func play(_ round: inout HouseholdRound) {
        switch round.kind {
        case .oneWriter, .inPlace, .offline, .restarted, .paused, .killed: playAlone(&round)
        case .apart, .stale: playTogether(&round)
        case .deleted, .renamed, .moved, .damaged: playWithFiles(&round)
        case .alike: return decideAlike(&round)
        case .purse: return playWithPurse(&round)
        case .overspent: return overspend(&round)
        case .lowered: return playAndLower(&round)
        case .undone: return playAndUndo(&round)
        case .reset: return playAndReset(&round)
        case .restored: return playAndRestore(&round)
        case .startedOver: return startOverByGame(&round)
        case .unread: return playUnread(&round)
        case .resetUndone: return takeResetBack(&round)
        case .asked, .goneOn: return playWithLoss(&round)
        case .carried: return carry(&round)
        case .imported: return importDocument(&round)
        }
        finish(round)
    }

    // MARK: Judging

    /// When all is quiet: what is asked is answered, and every file is judged.
    mutating func finish(_ round: HouseholdRound) {
        home.settle()
        guard !isAnswered(round) else { return }
        judgeWords(round)
        judgeFiles(round)
    }

    mutating func judgeFiles(_ round: HouseholdRound) {
        guard findings.isEmpty else { return }
        for device in home.devices.indices {
            judgeFile(round, on: device)
        }
        judgeAlike(round)
    }

    /// The name by which files are counted in which a guess that is said is explained by no one state.
    static let unexplained = "a guess that is said, and that no state explains"

    /// One file. Which state a game had read is not known here: what a wrong guess explains is no finding where it is
    /// said to be a guess.
    mutating func judgeFile(_ round: HouseholdRound, on device: Int) {
        if home.file(device) == nil, !round.after.contains(where: isShared) { return }
        judgeHalves(round, on: device)
        let judge = judge(round, on: device)
        if !judge.findings.isEmpty, !round.isClear, isGuessSaid(round) {
            // Of a debt from before the round the model does not know how much it was.
            let isExplained = isOfWrongGuess(judge.findings.filter { !isOwed($0) }, round, on: device)
            tally["a wrong guess, and said (\(round.kind))", default: 0] += 1
            // That no one state explains all of it is counted and told with the seed; it is no finding by itself, since
            // the model does not know every state that a game may have read.
            if !isExplained {
                tally[Self.unexplained, default: 0] += 1
                for finding in judge.findings {
                    story.append("no state explains on \(home.devices[device].name): \(finding)")
                }
            }
            return
        }
        if !judge.findings.isEmpty, !round.isClear, round.writers.contains(where: { fitsOlderState($0, round) }) {
            tally["a lower save that fits an older state", default: 0] += 1
            return
        }
        if !judge.findings.isEmpty, round.writers.contains(where: { looksLikePlayOnAnother($0, round) }) {
            tally["a save that holds what it had not read", default: 0] += 1
            return
        }
        for finding in judge.findings where !isDecidedByUndo(finding, round) && !isShownAnew(finding, round, device) {
            if isOwed(finding) { tally["a debt, and said", default: 0] += 1 } else { note(round, finding, on: device) }
        }
    }

    /// No guess explains half an object, and no merge of whole ones.
    mutating func judgeHalves(_ round: HouseholdRound, on device: Int) {
        guard let file = round.asRead(home.file(device), device) else { return }
        var known = known
        for document in round.before + round.after + round.bases + round.between.joined() {
            known.add(document, rules: home.rules)
        }
        for place in known.halves(of: file, rules: home.rules) {
            let rule = home.rules.rule(at: place).yaml
            note(round, Finding(.manyWriters, "half an object", rule: rule, place: "\(place)"), on: device)
        }
    }

    /// Saves that follow one another at once an agent may take for one: so all of those before the last one count, or
    /// some of them, or none.
    private func judge(_ round: HouseholdRound, on device: Int) -> Judge {
        let most = round.between.map(\.count).max() ?? 0
        var nearest: Judge?
        for seen in 0..<(1 << most) {
            let between = round.between.map { saves in
                saves.indices.filter { seen & (1 << $0) != 0 }.map { saves[$0] }
            }
            var judge = Judge(rules: home.rules, own: device) { side, _ in round.times[side] }
            judge.earlier = states
            judge.judge(
                bases: round.before, sides: round.after, between: between,
                found: round.asRead(home.file(device), device))
            if judge.findings.isEmpty { return judge }
            // What is wrong is told against the reading that fits best.
            if judge.findings.count < nearest?.findings.count ?? .max { nearest = judge }
        }
        return nearest ?? Judge(rules: home.rules, own: device) { side, _ in round.times[side] }
    }

    /// Whether it is of a purse that was in debt before the round: what is earned pays that first, and the model, which
    /// sees files alone, does not know how much it was. That there is one was said.
    private func isOwed(_ finding: Finding) -> Bool {
        finding.rule.contains("counter")
            && isOwed(finding.place.replacing(/\[[^=\]]+=/, with: "/["))
    }

    func isOwed(_ place: String) -> Bool { owed.contains(place) }

    /// Whether it is of a choice that was open, that a save decided, and that stands decided for the value of this
    /// device's file after the save was taken back.
    private func isDecidedByUndo(_ finding: Finding, _ round: HouseholdRound) -> Bool {
        guard let writer = round.undone, finding.kind == "own candidate",
            isOwed(finding.place.replacing(/\[[^=\]]+=/, with: "/["))
        else { return false }
        var isFound = false
        round.before[writer]?.visit(home.rules) { place, value in
            if "\(place)" == finding.place, value.text(.spaced) == finding.found { isFound = true }
        }
        return isFound
    }

    /// Whether it is of a choice that a reset took out of all files, and that is open again since the reset was taken
    /// back: a device that wrote none of the values may show another one of them than before.
    private func isShownAnew(_ finding: Finding, _ round: HouseholdRound, _ device: Int) -> Bool {
        guard round.kind == .reset || round.kind == .resetUndone, finding.kind == "own candidate", round.writers.isEmpty
        else { return false }
        return home.openChoices(device).contains(finding.place.replacing(/\[[^=\]]+=/, with: "/["))
    }

    /// Whoever says that another one is in step has the same in its file, whatever is said beside. A number that was only
    /// spelled anew may stay as it was in a file; what a number is to be spelled like otherwise is judged where it was
    /// written.
    mutating func judgeWords(_ round: HouseholdRound) {
        for device in home.devices.indices {
            let said = home.words(device)
            guard !said.isEmpty else { continue }
            tally["said something", default: 0] += 1
            story.append("round \(round.number): \(home.devices[device].name) says \(said)")
        }
        judgeOpenChoices(round)
        for device in home.devices.indices {
            let inStep = home.inStep(device)
            for other in home.devices.indices where other != device && inStep.contains(home.devices[other].name) {
                let files = [device, other].map { round.asRead(home.file($0), $0).flatMap(synced) }
                guard !same(files[0], files[1], spelling: false) else { continue }
                let (expected, found) = (home.text(device) ?? "", home.text(other) ?? "")
                note(
                    round, Finding(.words, "in step, and files differ", expected: expected, found: found), on: device)
            }
        }
    }

    /// An open choice is said to be open by every device that knows of it, and by nobody to be in step.
    private mutating func judgeOpenChoices(_ round: HouseholdRound) {
        for device in home.devices.indices {
            let open = home.openChoices(device)
            guard !open.isEmpty else { continue }
            if !home.asksToDecide(device) {
                note(round, Finding(.words, "an open choice, and status is silent", found: "\(open)"), on: device)
            }
            if !home.inStep(device).isEmpty {
                note(round, Finding(.words, "an open choice, and said to be in step", found: "\(open)"), on: device)
            }
        }
    }

    /// Expects a document in the files of all devices, but for what is each one's own, as its value of an open choice.
    mutating func expectEverywhere(_ document: JSON?, _ kind: String, _ round: HouseholdRound) {
        let isOpen = home.devices.indices.contains { !home.openChoices($0).isEmpty }
        func shared(_ document: JSON) -> JSON? {
            isOpen ? home.rules.essence(of: document, withChoices: false) : synced(document)
        }
        let expected = document.flatMap(shared)
        for device in home.devices.indices {
            let found = home.file(device).flatMap(shared)
            if same(expected, found, spelling: false) { continue }
            note(
                round,
                Finding(
                    .manyWriters, kind, expected: expected?.text() ?? "nothing", found: found?.text() ?? "nothing"),
                on: device)
        }
    }

    /// Whether a file holds anything that is not its device's own.
    private func isShared(_ document: JSON?) -> Bool {
        guard let essence = document.flatMap(essence) else { return false }
        return !essence.isContainer || !essence.isEmpty
    }

    /// A document without what is its device's own.
    func synced(_ document: JSON) -> JSON? {
        guard let members = document.members else { return document }
        return .object(members.filter { home.rules.rule(at: Place.root.appending(.member($0.name))).merge != .local })
    }

    mutating func note(_ round: HouseholdRound, _ finding: Finding, on device: Int = 0) {
        findings.append((round.number, round.kind, finding))
        story.append("round \(round.number) \(round.kind) on \(home.devices[device].name): \(finding)")
        guard findings.count < 4 else { return }
        if let why = home.ask(ExplainRequest(profile: "game", pointer: finding.place), on: device)?.message(
            ExplainReport.self)
        {
            story.append("  it explains: \(why.sentence) \(why.contributions.map { "\($0.device) \($0.text)" })")
        }
    }

    /// An act of the player that is to be done.
    @discardableResult
    mutating func act(_ request: any AgentRequest, on device: Int, _ round: HouseholdRound) -> Bool {
        story.append("round \(round.number): \(home.devices[device].name): \(request)")
        guard case .failure(_, let why)? = home.ask(request, on: device) else { return true }
        note(round, Finding(.words, "refused", expected: "\(request)", found: why), on: device)
        return false
    }
}
