import HouseholdSimulation
import MergeCore
import SaveOracle
import TestSupport
import Testing

/// Lists under `[id]` whose ids nobody can use for a while, on either of two machines, before a model of its own.
///
/// Each game has its list in memory and goes on with it. What it writes while ids are missing, or two are equal, is on
/// no other machine. As soon as its list can be read again, all that it did since its list could be read last counts.
@Suite struct UnreadableListOracleTests {
    @Test(arguments: 0..<TestDepth.count(quick: 8, usual: 24, all: 200)) func whatCountsIsWhatTheModelSays(
        _ seed: Int
    ) throws {
        var run = try ListRun(seed: UInt64(seed))
        for _ in 0..<24 { try run.step() }
        try run.end()
        #expect(run.findings.isEmpty, "seed \(seed): \(run.story.joined(separator: "\n"))\n\(run.findings)")
        #expect(run.unreadable > 0)
    }
}

/// One household with one list.
private struct ListRun {
    struct Item: Hashable {
        var n: Int
        var name: String
        /// When a game changed it last.
        var changed = 0
    }

    /// What one game knows.
    struct Game {
        /// The list in memory.
        var items: [String: Item]
        /// The household's list, when that of this machine's file could be read last.
        var base: [String: Item]
        /// The list of the file where it cannot be read.
        var odd: JSON?
    }

    private static let name = "bag"
    private let machines: TwoMachines
    private var dice: Dice
    private var household: [String: Item] = [:]
    /// What was removed, as it was then.
    private var removed: [String: Item] = [:]
    private var games: [Game] = []
    private var (day, made) = (1, 0)
    private(set) var (findings, story): ([String], [String]) = ([], [])
    private(set) var unreadable = 0

    init(seed: UInt64) throws {
        dice = Dice(seed: seed &+ 400)
        machines = try TwoMachines(seed: seed)
        for _ in 0..<4 { household[new()] = Item(n: dice.number(1...9), name: "it") }
        let rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/bag[id]/n"), MergeRule(.counter))])
        try machines.share(save(Self.list(household)), as: Self.name, under: rules)
        games = [Game(items: household, base: household), Game(items: household, base: household)]
    }

    private mutating func new() -> String {
        made += 1
        return "i\(made)"
    }

    private static func list(_ items: [String: Item]) -> JSON {
        .array(
            items.sorted { $0.key < $1.key }.map { id, item in
                .object([
                    .init("id", .string(id)), .init("n", .number("\(item.n)")), .init("name", .string(item.name)),
                ])
            })
    }

    /// So much of the save is something else that it is never over half of it that goes.
    private static let settings = JSON.object((1...60).map { .init("s\($0)", .bool(true)) })

    private func save(_ list: JSON) -> String {
        JSON.object([.init("bag", list), .init("day", .number("\(day)")), .init("settings", Self.settings)])
            .text(.spaced)
    }

    // MARK: Play

    mutating func step() throws {
        let here = dice.number(0...1)
        if dice.once(in: 6) {
            machines.household.kill(machines.devices[here])
            try machines.household.start(machines.devices[here])
            machines.household.run(milliseconds: 5_000)
        }
        play(here)
        try write(here, isOdd: dice.once(in: 2))
    }

    /// Both lists can be read in the end, and nothing is left to say.
    mutating func end() throws {
        for here in 0...1 { try write(here, isOdd: false) }
        for here in 0...1 {
            let words = machines.words(Self.name, here)
            if !words.isAllWell { findings.append("said on \(here): \(words)") }
        }
    }

    private mutating func play(_ here: Int) {
        day += 1
        for _ in 0...dice.number(0...2) {
            let ids = games[here].items.keys.sorted()
            switch dice.number(0...3) {
            case 0: games[here].items[new()] = Item(n: dice.number(1...9), name: "new")
            case 1: if !ids.isEmpty { games[here].items[dice.pick(ids)] = nil }
            case 2: if !ids.isEmpty { games[here].items[dice.pick(ids)]!.n += dice.number(1...5) }
            default: if !ids.isEmpty { games[here].items[dice.pick(ids)]!.name = "name \(day)" }
            }
        }
    }

    /// The list with ids that nobody can use.
    private mutating func odd(_ items: [String: Item]) -> JSON {
        var elements = Self.list(items).elements ?? []
        switch elements.isEmpty ? 3 : dice.number(0...3) {
        case 0: elements.append(dice.pick(elements))
        case 1:
            let index = dice.number(0...elements.count - 1)
            elements[index] = elements[index].setting("id", to: nil)
        case 2: elements = elements.map { $0.setting("id", to: nil) }
        default: elements.append(.string("rope"))
        }
        return .array(elements)
    }

    private mutating func write(_ here: Int, isOdd: Bool) throws {
        let list: JSON
        if isOdd {
            unreadable += 1
            list = odd(games[here].items)
            games[here].odd = list
        } else {
            list = Self.list(games[here].items)
            count(here)
            games[here].odd = nil
        }
        story.append("\(here) writes \(save(list))")
        let running = machines.start(Self.name, on: here)
        machines.save(save(list), as: Self.name, on: here)
        machines.end(running, on: here)
        machines.household.run(milliseconds: 5_000)
        for device in 0...1 {
            // What the file shows the game reads, unless it shows nothing that can be read.
            if games[device].odd == nil { (games[device].items, games[device].base) = (household, household) }
            look(device)
        }
    }

    /// What the household has once a game's list can be read.
    private mutating func count(_ here: Int) {
        let (items, base) = (games[here].items, games[here].base)
        for (id, item) in items {
            guard let before = base[id] else {
                household[id] = Item(n: item.n, name: item.name, changed: day)
                continue
            }
            // An edit outlives a removal that it had not read, and the element is whole.
            guard item != before, var present = household[id] ?? removed[id] else { continue }
            present.n += item.n - before.n
            if item.name != before.name { present.name = item.name }
            present.changed = day
            household[id] = present
        }
        for (id, before) in base where items[id] == nil && household[id]?.changed == before.changed {
            removed[id] = household.removeValue(forKey: id)
        }
    }

    private mutating func look(_ device: Int) {
        let file = machines.file(Self.name, device)
        let found = file?["bag"]
        if !same(file?["day"], .number("\(day)")) { findings.append("day on \(device): \(file?.text() ?? "none")") }
        if let odd = games[device].odd {
            if !same(odd, found) { findings.append("on \(device) \(found?.text() ?? "none") for \(odd.text())") }
            return
        }
        func identities(_ list: JSON?) -> [String] { (list?.elements ?? []).map(\.identity).sorted() }
        if identities(found) != identities(Self.list(household)) {
            findings.append("day \(day), on \(device) \(found?.text() ?? "none") for \(Self.list(household).text())")
        }
    }
}
