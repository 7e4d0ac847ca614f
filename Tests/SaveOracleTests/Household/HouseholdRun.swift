import HearthTesting
import HouseholdAgent
import SaveOracle

/// Some rounds of play in a household, each judged when all is quiet.
struct HouseholdRun {
    /// What a round was.
    enum Kind: String, CaseIterable {
        /// One device plays, several times.
        case oneWriter
        /// Every device plays once, and none hears of the others.
        case apart
        /// One plays while the agent of another is gone, or paused.
        case restarted, paused
        /// One plays; then a game elsewhere saves that has not read what came in.
        case stale
        /// One plays, and takes it back.
        case undone
        /// A save is deleted.
        case deleted
    }

    private(set) var findings: [(round: Int, kind: Kind, finding: Finding)] = []
    /// Rounds of each kind that were judged, and rounds in which something waited for a person.
    private(set) var tally: [String: Int] = [:]
    /// What was written and what came of it, for a report.
    private(set) var story: [String] = []

    private let home: OracleHousehold
    private let isLine: Bool
    private let kinds: [Kind]
    private var dice: Dice

    init(seed: UInt64, kinds: [Kind]) throws {
        self.kinds = kinds
        var dice = Dice(seed: seed)
        let count = dice.number(2...3)
        isLine = count > 2 && dice.once(in: 2)
        home = try OracleHousehold(seed: seed, devices: count, isLine: isLine, dice: &dice)
        self.dice = dice
        story.append("rules: \(home.rules.yaml)\(count) devices\(isLine ? " in a line" : "")")
        let first = home.text(0)
        for device in 1..<count where home.text(device) != first && !hasLocal {
            let kind = same(home.file(device), JSON(first ?? "")) ? "restored otherwise spelled" : "restored"
            note(
                0,
                .oneWriter,
                Finding(.oneWriter, kind, expected: first ?? "nothing", found: home.text(device) ?? "nothing")
            )
        }
        judgeWords(0, .oneWriter)
    }

    /// A file without what is its device's own.
    private func synced(_ device: Int) -> JSON? {
        guard let members = home.file(device)?.members else { return home.file(device) }
        return .object(members.filter { home.rules.rule(at: Place.root.appending(.member($0.name))).merge != .local })
    }

    /// What is the device's own is no part of what is taken back.
    private func takenBack(from saved: JSON?, to former: JSON?) -> JSON? {
        var result = former
        for member in (saved?.members ?? []) + (former?.members ?? [])
        where home.rules.rule(at: Place.root.appending(.member(member.name))).merge == .local {
            result = result?.setting(member.name, to: saved?[member.name])
        }
        return result
    }

    private var hasLocal: Bool { home.rules.rules.contains { $0.rule.merge == .local } }

    mutating func play(rounds: Int) {
        for round in 1...rounds where findings.isEmpty {
            let kind = dice.pick(kinds)
            play(round, kind)
        }
    }

    private mutating func play(_ round: Int, _ kind: Kind) {
        let before = home.devices.indices.map { home.file($0) }
        guard before.allSatisfy({ $0 != nil }) else { return }
        var after = before
        story.append("round \(round) begins with \(before[0]?.text() ?? "")")
        var times = before.map { _ in 0 }
        let isEveryone = kind == .apart || kind == .stale
        let writers =
            isEveryone ? Array(home.devices.indices.shuffled(using: &dice)) : [dice.number(0...before.count - 1)]
        let bystander = home.devices.indices.first { !writers.contains($0) }
        if kind == .apart {
            home.part(true, isLine: isLine)
            // What was under way still arrives.
            home.household.run(milliseconds: 1_000)
        }
        if kind == .restarted, let bystander { home.household.kill(home.devices[bystander]) }
        if kind == .paused, let bystander { _ = home.ask(.pause(profile: "game"), on: bystander) }
        var asks = false
        for writer in writers {
            // What came in meanwhile is in the file, but not in the memory of a game that goes on.
            if kind == .stale, writer != writers[0] { home.household.run(milliseconds: 10_000) }
            for _ in 0..<(isEveryone || kind == .undone ? 1 : kind == .deleted ? 0 : dice.number(1...3)) {
                guard let file = kind == .stale ? before[writer] : home.file(writer) else { break }
                let next = home.game.play(file, &dice)
                asks = asks || SaveMeaning(from: file, to: next, rules: home.rules).mayBeAsked
                after[writer] = next
                home.save(next, on: writer)
                times[writer] = Int(home.household.now)
                story.append("round \(round) \(kind): \(home.devices[writer].name) saves \(next.text())")
                home.household.run(milliseconds: Int64(dice.number(1...4_000)))
            }
        }
        if kind == .apart { home.part(false, isLine: isLine) }
        if kind == .restarted, let bystander { try? home.household.start(home.devices[bystander]) }
        if kind == .paused, let bystander { _ = home.ask(.resume(profile: "game"), on: bystander) }
        if kind == .deleted { home.devices[writers[0]].files.delete(OracleHousehold.path) }
        home.settle()
        if kind == .undone, !same(after[writers[0]], before[writers[0]]) {
            if case .failure(_, let why)? = home.ask(.undo(profile: "game", step: nil, force: false), on: writers[0]) {
                story.append("round \(round): not undone: \(why)")
            } else {
                story.append("round \(round): \(home.devices[writers[0]].name) takes it back")
                after[writers[0]] = takenBack(from: after[writers[0]], to: before[writers[0]])
            }
            home.settle()
        }
        tally["\(kind)", default: 0] += 1
        judgeWords(round, kind)
        guard findings.isEmpty else { return }
        // What is asked about is another matter.
        if asks {
            tally["asked about", default: 0] += 1
            return
        }
        for device in home.devices.indices {
            var judge = Judge(rules: home.rules, own: device) { side, _ in times[side] }
            judge.judge(base: before[0], sides: after, found: home.file(device))
            if kind == .stale, !judge.findings.isEmpty,
                home.devices.indices.contains(where: { !home.words($0).isEmpty })
            {
                tally["a wrong guess, and said", default: 0] += 1
                continue
            }
            for finding in judge.findings { note(round, kind, finding, on: device) }
        }
    }

    /// Where nothing is said to be wrong and the others are said to be in step, all files are equal.
    private mutating func judgeWords(_ round: Int, _ kind: Kind) {
        let words = home.devices.indices.map { home.words($0) }
        for (device, said) in words.enumerated() where !said.isEmpty {
            tally["said something", default: 0] += 1
            story.append("round \(round): \(home.devices[device].name) says \(said)")
        }
        guard words.allSatisfy(\.isEmpty), let first = synced(0) else { return }
        for device in home.devices.indices.dropFirst() {
            guard home.inStep(0).contains(home.devices[device].name), !same(synced(device), first) else { continue }
            note(
                round,
                kind,
                Finding(
                    .words,
                    "in step, and files differ",
                    expected: home.text(0) ?? "",
                    found: home.text(device) ?? ""
                ),
                on: device
            )
        }
    }

    private mutating func note(_ round: Int, _ kind: Kind, _ finding: Finding, on device: Int = 0) {
        findings.append((round, kind, finding))
        story.append("round \(round) on \(home.devices[device].name): \(finding)")
        if case .explained(let why)? = home.ask(.explain(profile: "game", pointer: finding.place), on: device) {
            story.append("  it explains: \(why.sentence) \(why.contributions.map { "\($0.device) \($0.text)" })")
        }
    }
}
