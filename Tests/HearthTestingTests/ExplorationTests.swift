import HearthKit
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
