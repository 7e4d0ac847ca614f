import HouseholdAgent
import HouseholdSimulation
import MergeCore
import TestSupport
import Testing

/// The whole household is a function of its seed.
@Suite struct DeterminismTests {
    private func trace(seed: UInt64) throws -> [String] {
        let home = Home(seed: seed)
        let path = "/saves/player.json"
        let a = try home.device("laptop")
        let b = try home.device("deck")
        try home.pair(a, b)
        let rules = try home.rules([("/coins", MergeRule(.counter)), ("/themes", MergeRule(.union))])
        try home.add(path, #"{"coins": 100, "themes": ["dark"]}"#, rules: rules, on: a)
        try home.restore(path, on: b)
        var dice = SeededRandom(seed: seed)
        for round in 1...20 {
            let device = Bool.random(using: &dice) ? a : b
            home.household.save(
                #"{"coins": \#(Int.random(in: 0...500, using: &dice)), "themes": ["t\#(round)", "dark"]}"#,
                to: path,
                on: device
            )
            if round % 5 == 0 { home.household.part(a, b, round % 10 == 0) }
            home.household.run(milliseconds: Int64.random(in: 1...3_000, using: &dice))
        }
        home.household.part(a, b, false)
        home.household.run(milliseconds: 120_000)
        let texts = [a, b].map { home.household.text(of: path, on: $0) ?? "nothing" }
        return home.household.trace + texts
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func theSameSeedGivesTheSameTrace(seed: UInt64) throws {
        let first = try trace(seed: seed)
        let second = try trace(seed: seed)
        #expect(first.count > 200)
        let difference = zip(first, second).first { $0 != $1 }
        #expect(difference == nil)
        #expect(first.count == second.count)
    }

    @Test func anotherSeedGivesAnotherTrace() throws {
        #expect(try trace(seed: 1) != trace(seed: 2))
    }
}
