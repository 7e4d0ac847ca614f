import Libc
import SaveOracle
import TestSupport

/// Rounds of play in a live household, each judged when all is quiet.
final class LiveRun {
    /// What a round was.
    enum Kind: String, CaseIterable {
        /// One device plays: by rename, or by writing into its file.
        case renamed, inPlace
        /// One plays while its own agent, or another one, does not run.
        case offline, bystanderOff
        /// Every device plays once, and none hears of the others.
        case apart
        /// One plays; then a game elsewhere saves that has not read what came in.
        case stale
        /// One plays while agents are killed.
        case killed
        /// One plays while the save is paused there, or elsewhere.
        case paused, pausedHere
        /// One plays, and takes it back.
        case undone
        /// The save starts over, then is played on; or the reset is taken back.
        case reset, resetUndone
        /// A game says by itself that it starts over; writes a word where a number is counted.
        case startedOver, unread
        /// A save from before is put back.
        case restored
        /// A game saves far less, and the player says that it is meant, or that it is not.
        case accepted, kept
        /// A save is carried by hand to a device that cannot be reached.
        case carried
        /// A save is deleted.
        case deleted
        /// A game moves its save aside, and writes a new one.
        case rotated
        /// The player moves the file, and says so.
        case moved
    }

    /// Rounds of each kind that were judged, and what else is worth a number.
    private(set) var tally: [String: Int] = [:]
    private(set) var findings: [(kind: Kind, finding: Finding)] = []
    /// What was written and what came of it, for a report.
    private(set) var story: [String] = []

    let home: LiveHousehold
    var dice: Dice
    private let kinds: [Kind]
    private(set) var round = 0
    /// What files held when all was quiet, without what is a device's own.
    private(set) var past: [JSON] = []
    /// The purses that were in debt when the round began.
    private var owed: Set<String> = []
    /// The places of every save, and of every file when all was quiet.
    private var known = KnownPlaces()

    init(seed: UInt64, isLine: Bool, kinds: [Kind]) throws {
        self.kinds = kinds
        var dice = Dice(seed: seed)
        home = try LiveHousehold(isLine: isLine, dice: &dice)
        self.dice = dice
        tell("\(isLine ? "a line" : "a mesh"); rules: \(home.rules.yaml)")
        let first = home.file(0)
        try judgeWords(try home.settle(), .renamed)
        for device in home.devices.indices where !same(home.synced(home.file(device)), home.synced(first)) {
            note(.renamed, Finding(.oneWriter, "restored", expected: text(first), found: text(home.file(device))))
        }
    }

    func play(rounds: Int) throws {
        for _ in 0..<rounds where findings.isEmpty {
            round += 1
            // What was long ago explains nothing.
            story = Array(story.prefix(1)) + story.dropFirst().filter { $0.hasPrefix("round \(round - 1):") }
            var kind = dice.pick(kinds)
            // Hearth lets ten seconds go by before it writes a save that is gone.
            if kind == .deleted, kinds.count > 1, !dice.once(in: 6) { kind = .renamed }
            let before = home.devices.indices.map { home.file($0) }
            guard before.allSatisfy({ $0 != nil }) else {
                return note(kind, Finding(.oneWriter, "a file is gone or unreadable"))
            }
            if let save = home.synced(before[0]) { past = past.suffix(11) + [save] }
            for file in before { known.add(file, rules: home.rules) }
            tell("begins with \(text(before[0]))")
            tell("\(kind)")
            owed = try debts(before[0])
            var plan = Plan(before: before)
            try act(kind, &plan)
            var words = try home.settle()
            let isPurse = try answerPurses(plan)
            if isPurse { words = try home.settle() }
            tally[kind.rawValue, default: 0] += 1
            try judgeWords(words, kind)
            if isPurse, isOfOlderStates(plan) {
                count("asked of a purse, of older states")
                try settleQuestions()
            } else if findings.isEmpty {
                try judge(plan, kind)
            }
        }
    }

    // MARK: Playing

    /// What a round wrote, and what is to come of it.
    struct Plan {
        let before: [JSON?]
        /// What each device's game wrote last.
        var after: [JSON?]
        /// When, in milliseconds.
        var times: [Int]
        /// Whether a save may be asked about.
        var mayBeAsked = false
        /// The device whose game had not read what came in.
        var stale: Int?
        /// What every file holds in the end, beside what is a device's own, where that is no merge.
        var whole: JSON?
        /// Whether no more is expected than that all files are equal and hold no less than before.
        var isFree = false

        init(before: [JSON?]) {
            (self.before, after) = (before, before)
            times = before.map { _ in 0 }
        }
    }

    /// The game on a device plays from what it has, and saves.
    func save(_ device: Int, from memory: JSON?, _ plan: inout Plan, inPlace: Bool = false) {
        guard let memory else { return }
        let next = home.game.play(memory, &dice)
        // What is saved while nobody looks counts as one save.
        plan.mayBeAsked =
            plan.mayBeAsked
            || [memory, plan.before[device]].contains {
                SaveMeaning(from: $0, to: next, rules: home.rules).mayBeAsked
            }
        write(next, device, &plan, inPlace: inPlace)
    }

    func write(_ next: JSON, _ device: Int, _ plan: inout Plan, inPlace: Bool = false) {
        let machine = home.devices[device]
        // Two saves of one moment have no order.
        usleep(5_000)
        if inPlace {
            Disk.write(next.text(home.layout), machine.save, pieces: 3)
        } else {
            Disk.replace(machine.save, with: Array(next.text(home.layout).utf8))
        }
        known.add(next, rules: home.rules)
        plan.after[device] = next
        plan.times[device] = Disk.time(machine.save)
        tell("\(machine.name) saves \(next.text())")
    }

    // MARK: Judging

    private func judge(_ plan: Plan, _ kind: Kind) throws {
        let found = home.devices.indices.map { home.file($0) }
        if let whole = plan.whole {
            for device in found.indices {
                let sides = found.indices.map { home.onDevice($0, whole) }
                var judge = Judge(rules: home.rules, own: device) { _, _ in 0 }
                judge.judge(base: sides[device], sides: sides, found: found[device])
                for finding in judge.findings { note(kind, finding, on: device) }
            }
            return
        }
        // Whatever is asked, guessed or put aside: all files hold the same, and nothing in part.
        try compare(found, with: found[0], "files differ", kind)
        judgeHalves(found, kind)
        // What is asked about is shown as the household has it, and is settled before the next round.
        if plan.isFree || plan.mayBeAsked {
            if !plan.isFree { count("asked about") }
            return try settleQuestions()
        }
        for device in found.indices {
            var judge = Judge(rules: home.rules, own: device) { side, _ in plan.times[side] }
            judge.judge(bases: plan.before, sides: plan.after, found: found[device])
            if !judge.findings.isEmpty, try isSaid() {
                tally["a wrong guess, and said", default: 0] += 1
                return try settleQuestions()
            }
            for finding in judge.findings {
                if isOwed(finding) { count("a debt, and said") } else { note(kind, finding, on: device) }
            }
        }
        try settleQuestions()
    }

    /// An object that lacks members which it never was without was written by no game, and no merge of whole ones gives it.
    private func judgeHalves(_ found: [JSON?], _ kind: Kind) {
        for (device, file) in found.enumerated() {
            guard let file else { continue }
            for place in known.halves(of: file, rules: home.rules) {
                let rule = home.rules.rule(at: place).yaml
                note(kind, Finding(.manyWriters, "half an object", rule: rule, place: "\(place)"), on: device)
            }
        }
    }

    /// The purses that were spent twice, as a device lists them: they show nothing until what is owed is earned, and the
    /// model, which sees files alone, does not know how much that is.
    private func debts(_ file: JSON?) throws -> Set<String> {
        let mayBeOwed = file?.leaves(home.rules).contains { place, rule in
            rule.merge == .counter && file?.at(place).flatMap { rule.number($0) }?.isZero == true
        }
        guard mayBeOwed == true else { return [] }
        let conflicts = try home.devices[0].ask("conflicts", "--json").json?["conflicts"]?.elements ?? []
        return Set(conflicts.filter { $0["candidates"]?.elements?.isEmpty == true }.compactMap { $0["place"]?.string })
    }

    private func isOwed(_ finding: Finding) -> Bool {
        finding.rule.contains("counter") && owed.contains(finding.place.replacing(/\[[^=\]]+=/, with: "/["))
    }

    /// Whether what a game had read was guessed, or cannot be told, or was put aside, and is said to be.
    func isSaid() throws -> Bool {
        let words = ["guessed", "nobody can tell", "put aside"]
        return try home.devices.indices.contains { device in
            try home.remarks(device).contains { remark in words.contains { remark.contains($0) } }
        }
    }

    private func compare(_ found: [JSON?], with expected: JSON?, _ what: String, _ kind: Kind) throws {
        // Of an open choice, which `status` names, each device shows its own value.
        let isOpen = try home.devices.indices.contains { device in
            try home.remarks(device).contains { $0.contains("hearth conflicts") }
        }
        func shared(_ document: JSON?) -> JSON? {
            isOpen ? document.flatMap { home.rules.essence(of: $0, withChoices: false) } : home.synced(document)
        }
        for device in found.indices where !same(shared(found[device]), shared(expected)) {
            let finding = Finding(.oneWriter, what, expected: text(expected), found: text(found[device]))
            note(kind, finding, on: device)
        }
    }

    /// Where a sync says that everybody is in step, all files are equal.
    private func judgeWords(_ words: [LiveHousehold.Words], _ kind: Kind) throws {
        for (device, said) in words.enumerated() {
            if said.code != 0 {
                tally["a sync that said more", default: 0] += 1
                tell("\(home.devices[device].name) says \(said.others)")
            }
            for (other, machine) in home.devices.enumerated() where said.inStep.contains(machine.name) {
                let (here, there) = (home.file(device), home.file(other))
                guard !same(home.synced(here), home.synced(there)) else { continue }
                let what = "in step, and files differ"
                note(kind, Finding(.words, what, expected: text(here), found: text(there)), on: device)
            }
            try judgeCodes(said, kind, on: device)
        }
    }

    /// The exit code is 3 while something waits for a person, an open choice among it, and only then. A sync that finds
    /// something wrong, or somebody behind, ends with 1, and everything else with 0.
    private func judgeCodes(_ sync: LiveHousehold.Words, _ kind: Kind, on device: Int) throws {
        let status = try home.status(device)
        let open = try home.openChoices(device)
        let wanted: Int32 = status.decisions.isEmpty && open.isEmpty ? 0 : 3
        if status.code != wanted {
            let found = "\(status.code), with \(status.remarks), open: \(open)"
            note(kind, Finding(.words, "exit code of status", expected: "\(wanted)", found: found), on: device)
        }
        if status.decisions.isEmpty, !open.isEmpty {
            note(kind, Finding(.words, "an open choice, and status is silent", found: "\(open)"), on: device)
        }
        let isGood = [sync.troubles, sync.behind, sync.filesBehind].allSatisfy(\.isEmpty)
        let code: Int32 = wanted == 3 ? 3 : isGood ? 0 : 1
        if sync.code != code {
            let found = "\(sync.code), with \(sync.others)"
            note(kind, Finding(.words, "exit code of sync", expected: "\(code)", found: found), on: device)
        }
    }

    /// Answers whatever is asked, so that the next round begins with nothing open.
    /// What is asked of a purse is answered as it was. Returns whether anything was asked.
    private func answerPurses(_ plan: Plan) throws -> Bool {
        var isAnswered = false
        for (device, machine) in home.devices.enumerated()
        where try home.remarks(device).contains(where: { $0.contains("nobody can tell whether the game had read") }) {
            count("asked of a purse")
            let outcome =
                device == plan.stale
                ? try machine.ask("accept", "game", "--apart", "--yes", "--json")
                : try machine.ask("accept", "game", "--yes", "--json")
            guard outcome.code == 0 else { throw Failure("not answered: \(outcome.errors)") }
            isAnswered = true
        }
        return isAnswered
    }

    /// Whether neither answer to what was asked of a purse is what was saved.
    private func isOfOlderStates(_ plan: Plan) -> Bool {
        home.devices.indices.contains { device in
            guard device != plan.stale, let save = plan.after[device], let base = plan.before[device] else {
                return false
            }
            return PurseQuestion.isOfOlderStates(save: save, base: base, states: past, rules: home.rules)
        }
    }

    private func settleQuestions() throws {
        for (device, machine) in home.devices.enumerated() where try !home.remarks(device).isEmpty {
            tally["settled", default: 0] += 1
            try answerChoices(machine)
            _ = try machine.ask("keep", "game", "--yes", "--json")
            // Two answers that know nothing of each other are a choice again.
            _ = try home.settle()
        }
        try judgeWords(try home.settle(), .kept)
    }

    private func answerChoices(_ machine: LiveDevice) throws {
        for _ in 0..<20 {
            let conflicts = try machine.ask("conflicts", "--json").json?["conflicts"]?.elements ?? []
            let open = conflicts.first { !($0["candidates"]?.elements ?? []).isEmpty }
            guard let place = open?["place"]?.string else { return }
            let outcome = try machine.ask("resolve", "game", place, "1", "--json")
            guard outcome.code == 0 else { throw Failure("\(place) is not decided: \(outcome.errors)") }
        }
    }

    // MARK: Telling

    func tell(_ text: String) { story.append("round \(round): \(text)") }

    func count(_ name: String) { tally[name, default: 0] += 1 }

    func text(_ value: JSON?) -> String { value?.text() ?? "nothing" }

    func note(_ kind: Kind, _ finding: Finding, on device: Int = 0) {
        findings.append((kind, finding))
        tell("on \(home.devices[device].name): \(finding)")
        for machine in home.devices { tell("\(machine.name)'s log: \(machine.log.suffix(600))") }
    }
}
