import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// What an agent has written itself, in virtual time.
@Suite struct OwnWriteTests {
    private let path = "/saves/player.json"
    private let home = Home(seed: 31)
    private let (a, b): (SimulatedDevice, SimulatedDevice)

    init() throws {
        (a, b) = (try home.device("laptop"), try home.device("deck"))
        let rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter))])
        try home.pair(a, b)
        try home.add(path, purse(100), rules: rules, on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.save(purse(130), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(130), at: path, on: [b])
    }

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    /// The watch reports the agent's own swap as well. The file is not read for that.
    @Test func whatTheAgentWroteItselfIsNotReadAgain() {
        let reads = b.files.reads
        home.household.hear(.replaced, at: path, on: b)
        home.household.run(milliseconds: 100)
        #expect(b.files.reads == reads)
    }

    /// Another file at the path is a save, whatever was there before.
    @Test func aSaveThatReplacesItIsRead() throws {
        _ = try home.household.write(purse(137), to: path, on: b)
        home.household.hear(.replaced, at: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(137), at: path, on: [a, b])
    }

    /// A write in place is read at once after the swap as well: it may have left size and times as they were.
    @Test func aWriteInPlaceIsRead() throws {
        let reads = b.files.reads
        home.household.hear(.written, at: path, on: b)
        home.household.run(milliseconds: 1_000)
        #expect(b.files.reads > reads)
    }
}
