import HouseholdAgent
import HouseholdSimulation
import MergeCore
import SaveOracle

/// Progressions through two devices, each save judged by the model.
struct ProgressionRun {
    /// What was played, and what of it was not as the laws say.
    struct Tally: CustomStringConvertible {
        var saves = 0
        var meetings = 0
        /// Files of the other device that were the writer's byte for byte.
        var exact = 0
        /// Meetings of two that had spent the same.
        var owed = 0
        /// Play that the player was asked about, and play of which a place was kept and named.
        var (asked, named) = (0, 0)
        var findings: [String: Int] = [:]
        /// The first finding of each kind, for a report.
        var stories: [String] = []

        var wrong: Int { findings.values.reduce(0, +) }

        var description: String {
            let kinds = findings.sorted { $0.value > $1.value }.map { "\($0.value) × \($0.key)" }
            return "\(saves) saves of one, \(exact) exact to the byte; \(meetings) meetings of two; "
                + "\(owed) owed; \(asked) asked about, \(named) named; \(wrong) wrong"
                + (kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", "))
        }
    }

    private(set) var tally = Tally()
    /// Whether two spent what only one had: what is earned next pays that back, so that the file is not as written.
    private(set) var isOwing = false
    private let machines: TwoMachines
    private let rules: RuleSet
    private let table: RuleTable
    private let name: String

    /// Both devices have the game's save.
    init(_ game: some PlayedGame, _ source: RuleSource, on machines: TwoMachines, as name: String) throws {
        self.machines = machines
        self.name = name
        rules = try source.rules(for: game)
        table = RuleTable(rules)
        try machines.share(game.text, as: name, under: rules)
        for device in [0, 1] where machines.text(name, device) != game.text {
            note("not shared", "on \(machines.devices[device].name)", on: device)
        }
    }

    // MARK: One writer

    /// L1: what one game saves stands in the other device's file, save after save.
    mutating func oneWriter(_ game: inout some PlayedGame, saves: Int) {
        for _ in 0..<saves {
            let before = game.save
            // What is local there is not the writer's.
            let other = machines.file(name, 1) ?? before
            let running = machines.start(name, on: 0)
            game.play()
            machines.save(game.text, as: name, on: 0)
            machines.end(running, on: 0)
            tally.saves += 1
            if settleQuestions() {
                tally.asked += 1
            } else {
                if machines.text(name, 1) == game.text { tally.exact += 1 }
                judge(bases: [before, other], sides: [game.save, before], [game.save, other], times: [2, 1])
                judgeWords(mayChoose: false)
            }
            // The game goes on from its file, which may hold what a rule kept.
            if let file = machines.file(name, 0) { game.load(file) }
        }
    }

    // MARK: Two writers

    /// L2: two games go on from one save and do not hear of each other.
    mutating func twoWriters(_ game: inout some PlayedGame, seed: UInt64) {
        var games = [game, game.elsewhere(seed: seed)]
        // A device's own: what is local stays as it is there.
        for device in [0, 1] { machines.file(name, device).map { games[device].load($0) } }
        let befores = games.map(\.save)
        let running = [0, 1].map { machines.start(name, on: $0) }
        machines.part(true)
        let order = seed % 2 == 0 ? [0, 1] : [1, 0]
        for device in order {
            for _ in 0...Int(seed % 3) { games[device].play() }
            machines.save(games[device].text, as: name, on: device)
        }
        for device in [0, 1] { machines.end(running[device], on: device) }
        machines.part(false)
        tally.meetings += 1
        if settleQuestions() {
            tally.asked += 1
        } else {
            let times = order == [0, 1] ? [1, 2] : [2, 1]
            judge(bases: befores, sides: games.map(\.save), games.map(\.save), times: times)
            judgeWords(mayChoose: true)
            if !table.rules.contains(where: { [.local, .choice].contains($0.rule.merge) }),
                !same(machines.file(name, 0), machines.file(name, 1))
            {
                note("files differ", machines.text(name, 1) ?? "nothing", on: 1)
            }
        }
        let isChoice = table.rules.contains { $0.rule.merge == .choice }
        if !isChoice, [0, 1].contains(where: { !machines.words(name, $0).choices.isEmpty }) {
            isOwing = true
            tally.owed += 1
        }
        settleChoices()
        // What it made is newer than anything that was made apart.
        game = games[1]
        if let file = machines.file(name, 0) { game.load(file) }
    }

    // MARK: Judging

    /// Looks at both files, each beside what stood in it before.
    private mutating func judge(bases: [JSON], sides: [JSON]..., times: [Int]) {
        for own in [0, 1] {
            var judge = Judge(rules: table, own: own) { side, _ in times[side] }
            judge.judge(base: bases[own], sides: sides[own], found: machines.file(name, own))
            for finding in judge.findings {
                let all = "\(finding.signature): \(finding)\nof \(bases[own].text()),\n\(sides[own].map { $0.text() })"
                note(finding.signature, all, on: own)
            }
        }
    }

    private mutating func judgeWords(mayChoose: Bool) {
        for device in [0, 1] {
            var words = machines.words(name, device)
            if words.namesLowered {
                tally.named += 1
                tell("named of play", "\(words)", on: device)
                _ = machines.ask(KeepRequest(profile: name), on: device)
                words.remark = nil
            }
            if mayChoose { words.choices = [] }
            if !words.isAllWell { note("said of play", "\(words)", on: device) }
        }
    }

    private mutating func note(_ kind: String, _ story: String, on device: Int) {
        tally.findings[kind, default: 0] += 1
        if tally.findings[kind] == 1 { tell(kind, story, on: device) }
    }

    private mutating func tell(_ kind: String, _ story: String, on device: Int) {
        tally.stories.append("\(name) on \(machines.devices[device].name): \(kind): \(story)")
    }

    /// Answers what the player is asked, as one who played: it counts. False where nothing was asked.
    private func settleQuestions() -> Bool {
        var isAsked = false
        for device in [0, 1] where !machines.words(name, device).asked.isEmpty {
            isAsked = true
            _ = machines.ask(AcceptRequest(profile: name, apart: false), on: device)
            machines.household.run(milliseconds: 5_000)
        }
        return isAsked
    }

    private func settleChoices() {
        for place in machines.words(name, 0).choices {
            _ = machines.ask(ResolveRequest(profile: name, pointer: place, choice: 1), on: 0)
            machines.household.run(milliseconds: 5_000)
        }
    }
}
