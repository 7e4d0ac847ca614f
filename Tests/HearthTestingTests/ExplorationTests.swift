import HearthKit
import HouseholdSimulation
import LosslessJSON
import MergeCore
import RuleFile
import TestSupport
import Testing

@testable import HearthTesting

/// Random runs: equal for equal seeds, clean where all is well, and short where something is wrong.
@Suite struct ExplorationTests {
    static let rules = """
        rules:
          /coins: counter
          /level: max
          /themes: union
          /friends: set
          /done: flag
          /volume: local
          /crew[id]/xp: counter
        resets:
          progress: [/level]
        """
    static let save = """
        {
          "coins": 100, "level": 3, "themes": ["dark"], "friends": ["Bo", "Cy"], "done": false, "volume": 5,
          "name": "Ada", "crew": [{"id": "oak", "xp": 4, "mood": "calm"}, {"id": "elm", "xp": 9, "mood": "glad"}]
        }
        """

    static func explorer(_ devices: [String] = ["laptop", "deck", "desktop"]) throws -> Explorer {
        let document = try JSONDocument(parsing: Array(save.utf8))
        let game = SimulatedGame.plain(
            rules: try RuleSet(yaml: rules), beginning: document, samples: [document.value(document.root)])
        return Explorer(game: game, devices: devices, weights: StepWeights())
    }

    /// Twice the same, whatever the seed: the steps, what was found, and a hash of every event.
    @Test func equalSeedsGiveEqualRuns() throws {
        let explorer = try Self.explorer()
        let seeds = 1...TestDepth.count(quick: 5, usual: 25, all: 100)
        var digests: Set<UInt64> = []
        for seed in seeds {
            let (one, other) = (try explorer.run(UInt64(seed)), try explorer.run(UInt64(seed)))
            #expect(one.digest == other.digest, "seed \(seed)")
            #expect(one.scenario == other.scenario, "seed \(seed)")
            #expect(one.findings == other.findings, "seed \(seed)")
            digests.insert(one.digest)
        }
        #expect(digests.count == seeds.count)
    }

    /// A run that is played again by its data is the same run.
    @Test func aScenarioIsAllOfARun() throws {
        let explorer = try Self.explorer()
        for seed in 1...UInt64(TestDepth.count(quick: 2, usual: 8, all: 40)) {
            let run = try explorer.run(seed)
            let again = try explorer.replay(run.scenario)
            #expect(again.digest == run.digest, "seed \(seed)")
            #expect(again.findings == run.findings, "seed \(seed)")
        }
    }

    @Test func nothingIsFoundInPlainPlay() async {
        let result = await PlainHousehold.explore(
            seeds: 1...UInt64(TestDepth.count(quick: 5, usual: 30, all: 400)), rules: Self.rules, saves: [Self.save])
        #expect(result.isClean, "\(result)")
        #expect(result.kinds.contains { $0.kind == "crash in a disk step" })
        #expect(result.outcomes.contains { $0.pattern == "/coins" && $0.rule == "counter" })
    }

    @Test func nothingIsFoundInTypedPlay() async {
        let count = UInt64(TestDepth.count(quick: 5, usual: 20, all: 200))
        let result = await Household<Hero>.explore(seeds: 1...count, devices: ["laptop", "deck"])
        #expect(result.isClean, "\(result)")
        #expect(result.runs == Int(count))
    }

    /// What comes of the seeds does not depend on how many are played beside one another.
    @Test func theResultIsThatOfTheSeeds() async throws {
        let explorer = try Self.explorer(["laptop", "deck"])
        let runner = ExplorationRunner(explorer: explorer, failureLimit: 1) { _ in }
        let (one, other) = (await runner.explore(1...6), await runner.explore(1...6))
        #expect(one.digest == other.digest)
        #expect(one.summary == other.summary)
    }

    /// Where nothing was played, or not everything, nothing is said to be well.
    @Test func whatWasNotPlayedIsNotClean() async throws {
        let explorer = try Self.explorer(["laptop", "deck"])
        let told = await ExplorationRunner(explorer: explorer, failureLimit: 0, progress: { _ in }).explore(1...3)
        #expect(told.trouble == "failureLimit has to be at least 1" && !told.isClean)
        var weights = StepWeights.playOnly
        (weights.play, weights.wait, weights.partition, weights.heal) = (0, 0, 0, 0)
        (weights.start, weights.freeDisk) = (0, 0)
        let idle = Explorer(game: explorer.game, devices: ["laptop", "deck"], weights: weights)
        let nothing = await ExplorationRunner(explorer: idle, failureLimit: 1, progress: { _ in }).explore(1...3)
        #expect(nothing.trouble == "no step has a weight" && !nothing.isClean)
        let runner = ExplorationRunner(explorer: explorer, failureLimit: 1, progress: { _ in })
        let task = Task { await runner.explore(1...1_000_000) }
        task.cancel()
        let cancelled = await task.value
        #expect(cancelled.trouble == "it was cancelled" && !cancelled.isClean, "\(cancelled.summary)")
    }

    /// Of a save with thousands of values under one rule the others have their turn, devices meet at some places, and an
    /// element keeps its id.
    @Test func largeSavesArePlayedWhereDevicesMeet() throws {
        let rules = try RuleSet(yaml: "rules:\n  /coins: counter\n  /quests/*: max\n  /crew[id]/xp: counter\n")
        let quests = (0..<3_000).map { JSONMember(key: JSONString("q\($0)"), value: .number(JSONNumber($0))) }
        let save = ParsedSave(
            .object([
                JSONMember(key: "coins", value: 5), JSONMember(key: "quests", value: .object(quests)),
                JSONMember(key: "crew", value: [["id": "oak", "xp": 1]]),
            ]), rules)
        let game = SimulatedGame.plain(
            rules: rules, beginning: try JSONDocument(parsing: save.value.jsonBytes), samples: [save.value])
        let play = InventedPlay(game)
        func counts(_ chance: UInt64) -> [String: Int] {
            var random = SimulatedRandom(seed: chance)
            let places = (0..<200).flatMap { _ in play.edits(of: save, seed: 9, &random).map(\.place) }
            return Dictionary(grouping: places) { $0 }.mapValues(\.count)
        }
        let (one, other) = (counts(1), counts(2))
        #expect(one["/coins", default: 0] > 40)
        #expect(!one.keys.contains { $0.hasSuffix("/id") })
        let both = Set(one.keys).intersection(other.keys).filter { $0.hasPrefix("/quests/") }
        #expect(both.count >= 6, "\(both)")
    }

    /// Places of a list by numbers that a save does not have are not invented: there is no such element.
    @Test func numbersOfElementsAreNotInvented() throws {
        let rules = try RuleSet(yaml: "rules:\n  /laps/*: min\n")
        let texts = [#"{"a":1}"#, #"{"a":2,"laps":[70,66],"b":3}"#]
        let saves = try texts.map { try JSONDocument(parsing: Array($0.utf8)) }
        let game = SimulatedGame.plain(
            rules: rules, beginning: saves[0], samples: saves.map { $0.value($0.root) })
        let play = InventedPlay(game)
        var random = SimulatedRandom(seed: 1)
        var places: Set<String> = []
        let save = ParsedSave(["a": 1], rules)
        for _ in 0..<300 { places.formUnion(play.edits(of: save, seed: 1, &random).map(\.place)) }
        #expect(places == ["/a", "/b"])
    }

    /// A trade of coins for gems under two rules that do not go together: the trade is taken apart. It is found, and
    /// what is left of the scenario shows it at a glance.
    @Test func aWrongRuleIsFoundAndMadeShort() async throws {
        let result = await Household<Trader>.explore(
            seeds: 1...200, devices: ["laptop", "deck", "desktop"],
            moves: [
                Move("trades") { trader, random in
                    let gems = Int.random(in: 1...9, using: &random)
                    trader.coins -= gems
                    trader.gems += gems
                }
            ],
            invariants: [Invariant("coins and gems are 100") { $0.coins + $0.gems == 100 }], weights: .playOnly)
        let failure = try #require(result.failures.first, "\(result.summary)")
        // All of them are counted, and the first is told.
        #expect(result.failures.count == 1 && result.failed > 1)
        #expect(result.summary.contains(", \(result.failed) failed, "))
        #expect(failure.finding.kind == .invariant)
        #expect(failure.scenario.steps.count <= 6, "\(failure)")
        #expect(failure.scenario.devices.count == 2, "\(failure)")
        #expect(failure.code.contains(#".plays(move: "trades", seed: "#), "\(failure.code)")
        let home = "let home = Household<ExplorationTests.Trader>("
        #expect(failure.code.contains(home) && failure.code.contains(", moves: moves, invariants: invariants)"))
        #expect(failure.timeline.entries.contains { $0.kind == .finding })
    }

    /// Coins under a rule by which they add up, gems under one that only grows.
    struct Trader: Profile {
        @Counter var coins = 0
        @Highest var gems = 100
    }
}
