import HearthTesting
import Libc
import TestSupport
import Testing

/// Random play with one save of all rules. As the code is, nothing is found; the patches in `Tests/Promises/Explorer` each
/// put a fault in, and then this test must fail. HEARTH_EXPLORER_SEEDS sets how many seeds are played.
@Suite struct PlantedFaultTests {
    static let rules = """
        rules:
          /coins: counter
          /score: counter
          /level: max
          /best: max
          /themes: union
          /friends: set
          /done: flag
          /volume: local
          /crew[id]/xp: counter
        resets:
          progress: [/level]
        """

    /// The score has more digits than a number of 53 bits.
    static let save = """
        {"coins":100,"score":9007199254740993,"level":3,"best":7,"themes":["dark"],"friends":["Bo","Cy"],"done":false,\
        "volume":5,"name":"Ada","zone":"hills","crew":[{"id":"oak","xp":4,"mood":"calm"},{"id":"elm","xp":9,"mood":"glad"}]}
        """

    static let permutations = [
        ["laptop", "deck", "desktop"], ["laptop", "desktop", "deck"], ["deck", "laptop", "desktop"],
        ["deck", "desktop", "laptop"], ["desktop", "laptop", "deck"], ["desktop", "deck", "laptop"],
    ]

    /// The faults that came later are left out, so that the seeds that find a patch stay those of the article.
    static var weights: StepWeights {
        var weights = StepWeights()
        weights.silenceOneWay = 0
        (weights.loseRecord, weights.joinAgain) = (0, 0)
        (weights.sleep, weights.wake) = (0, 0)
        (weights.readOnlyDisk, weights.writableDisk) = (0, 0)
        return weights
    }

    static var seeds: UInt64 {
        let usual = TestDepth.count(quick: 5, usual: 20, all: 200)
        return getenv("HEARTH_EXPLORER_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? UInt64(usual)
    }

    @Test func randomPlayFindsNothing() async {
        let result = await PlainHousehold.explore(
            seeds: 1...Self.seeds, rules: Self.rules, saves: [Self.save], weights: Self.weights)
        let found = result.failures.first.map { "found by seed \($0.seed)" } ?? "found by no household coming together"
        #expect(result.isClean, "\(found)\n\(result)")
    }
}

/// The clock of one device is a day ahead. At a place that it did not write, the later one of two other devices' values stays.
@Suite struct PlantedFaultClockTests {
    @Test(arguments: PlantedFaultTests.permutations) func aWrongClockDecidesNothingElsewhere(_ order: [String]) throws {
        let (wrong, first, last) = (order[0], order[1], order[2])
        let home = try PlainHousehold(
            ["laptop", "deck", "desktop"], rules: "rules: {}", save: #"{"name":"Ada","zone":"hills"}"#, seed: 1)
        home.perform(.setsClock(wrong, ahead: 86_400_000))
        home.perform(.plays(wrong, [.set("/name", #""Bo""#)]))
        home.settle()
        home.partition(first, last)
        home.partition(wrong, last)
        home.perform(.plays(first, [.set("/zone", #""cave""#)]))
        home.wait(.seconds(5))
        home.perform(.plays(last, [.set("/zone", #""town""#)]))
        home.heal()
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }
}

/// The same with games that save in the middle of what Hearth writes.
@Suite struct PlantedFaultAmidTests {
    @Test func savesAmidWritesFindNothing() async {
        var weights = PlantedFaultTests.weights
        weights.overwriteAmid = 20
        let result = await PlainHousehold.explore(
            seeds: 1...PlantedFaultTests.seeds, rules: PlantedFaultTests.rules, saves: [PlantedFaultTests.save],
            weights: weights)
        let found = result.failures.first.map { "found by seed \($0.seed)" } ?? "found by no household coming together"
        #expect(result.isClean, "\(found)\n\(result)")
        #expect(result.kinds.contains { $0.kind == "overwrite amid a write" })
    }
}
