import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// Saves that a game in the agent's own process hands over, in virtual time.
@Suite struct HandOverTests {
    private let path = "/saves/player.json"
    private let home = Home(seed: 23)
    private let (a, b): (SimulatedDevice, SimulatedDevice)

    init() throws {
        (a, b) = (try home.device("laptop"), try home.device("deck"))
        let rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter))])
        try home.pair(a, b)
        try home.add(path, purse(100), rules: rules, on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(100), at: path, on: [b])
    }

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    /// The save is taken up and sent; its file is neither read nor synced again, not when the watch tells of it either.
    @Test func aSaveThatIsHandedOverIsNotReadAgain() throws {
        let save = try home.household.write(purse(130), to: path, on: a)
        let (reads, steps, commits) = (
            a.files.reads, a.files.power.operations.count, a.record.power.operations.count
        )
        home.household.handOver(save, on: a)
        home.household.hear(.replaced, at: path, on: a)
        home.household.run(milliseconds: 1_000)
        #expect(a.files.reads == reads)
        #expect(!a.files.power.operations.dropFirst(steps).contains(.sync(path)))
        #expect(a.record.power.operations.count > commits)
        home.expect(purse(130), at: path, on: [b])
    }

    /// Where the watch is first, the save counts once.
    @Test func aSaveThatWasSeenAlreadyCountsOnce() throws {
        let save = try home.household.write(purse(130), to: path, on: a)
        home.household.hear(.replaced, at: path, on: a)
        home.household.run(milliseconds: 1_000)
        home.household.handOver(save, on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(130), at: path, on: [a, b])
    }

    /// What came in since stands in the file: an old save that is handed over late takes nothing of it back.
    @Test func aSaveThatComesTooLateTakesNothingBack() throws {
        let save = try home.household.write(purse(130), to: path, on: a)
        home.household.hear(.replaced, at: path, on: a)
        home.household.save(purse(107), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(137), at: path, on: [a, b])
        home.household.handOver(save, on: a)
        home.household.run(milliseconds: 60_000)
        home.expect(purse(137), at: path, on: [a, b])
    }

    /// A program that writes into the file after it was handed over is heard of.
    @Test func whatIsWrittenIntoTheFileAfterwardsIsSeen() throws {
        let save = try home.household.write(purse(130), to: path, on: a)
        home.household.handOver(save, on: a)
        a.files.saveInPlace(Array(purse(135).utf8), at: path)
        home.household.hear(.replaced, at: path, on: a)
        home.household.hear(.written, at: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(135), at: path, on: [a, b])
    }

    /// While sync is paused, nothing is taken up; afterwards the file is read.
    @Test func aPausedProfileTakesNothing() throws {
        _ = home.household.ask(PauseRequest(profile: "game"), on: a)
        home.household.handOver(try home.household.write(purse(130), to: path, on: a), on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(100), at: path, on: [b])
        _ = home.household.ask(ResumeRequest(profile: "game"), on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(130), at: path, on: [a, b])
    }

    /// The power fails before the record is written, or after it, or before the save is handed over at all: it is there
    /// at the next start.
    @Test func aSaveThatIsHandedOverSurvivesAPowerCut() throws {
        for step in 0...2 {
            let coins = 130 + step
            let save = try home.household.write(purse(coins), to: path, on: a)
            a.record.power.cut(before: a.record.power.operations.count + max(step, 1))
            if step > 0 { home.household.handOver(save, on: a) }
            #expect(a.record.power.isOff == (step == 1))
            home.household.kill(a)
            a.files.loseUnsynced()
            a.record.power.restart()
            try home.household.start(a)
            home.household.run(milliseconds: 60_000)
            home.expect(purse(coins), at: path, on: [a, b])
        }
    }
}
