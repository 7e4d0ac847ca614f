import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// A game that puts an older copy back into its file, and says so beside it.
@Suite struct RestoredTests {
    private let path = "/saves/player.json"
    private let rules: RuleSet

    init() throws { rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter))]) }

    private func purse(_ coins: Int) -> String { "{\"coins\":\(coins)}\n" }

    /// Both devices show 500; the game on the first was there once, and is not at the moment.
    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 11)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, purse(100), rules: rules, on: a)
        try home.restore(path, on: b)
        home.expect(purse(100), at: path, on: [b])
        let request = SubscribeRequest(path: path, name: "game", game: "rpg", rules: rules)
        home.household.abandon(home.household.ask(request, on: a), on: a)
        home.household.save(purse(500), to: path, on: a)
        home.expect(purse(500), at: path, on: [a, b])
        return (home, a, b)
    }

    private func note(_ coins: Int, tag: UInt64 = 7, on device: SimulatedDevice) throws {
        try device.files.stage(
            Array(purse(coins).utf8), as: RestoredCopy.name(beside: path, tag: tag), beside: path)
    }

    /// Whatever the agent sees of it first, it is no spending, and what was played since counts once.
    @Test(arguments: [100, 130]) func whatIsPutBackIsNoEdit(found: Int) throws {
        let (home, a, b) = try household()
        try note(100, on: a)
        home.household.save(purse(found), to: path, on: a)
        home.expect(purse(400 + found), at: path, on: [a, b])
        home.household.save(purse(405 + found), to: path, on: a)
        home.expect(purse(405 + found), at: path, on: [a, b])
        #expect(RestoredCopy.names(beside: path, a.files) == [])
    }

    /// A power cut may bring the note back after it was taken up.
    @Test func oneThatComesBackCountsNothingAgain() throws {
        let (home, a, b) = try household()
        try note(100, on: a)
        home.household.save(purse(130), to: path, on: a)
        home.expect(purse(530), at: path, on: [a, b])
        try note(100, on: a)
        home.household.save(purse(540), to: path, on: a)
        home.expect(purse(540), at: path, on: [a, b])
        #expect(RestoredCopy.names(beside: path, a.files) == [])
        // Another restore of the same copy is one.
        try note(100, tag: 8, on: a)
        home.household.save(purse(101), to: path, on: a)
        home.expect(purse(541), at: path, on: [a, b])
    }

    /// What is put back is what the agent knows last: then nothing of it is an edit, nor of what comes after.
    @Test(arguments: [false, true]) func theNewestOneLeavesNothingBehind(whileAgentIsAway: Bool) throws {
        let (home, a, b) = try household()
        if whileAgentIsAway { home.household.kill(a) }
        try note(500, on: a)
        home.household.save(purse(500), to: path, on: a)
        if whileAgentIsAway { try home.household.start(a) }
        home.household.run(milliseconds: 5_000)
        home.household.save(purse(550), to: path, on: b)
        home.expect(purse(550), at: path, on: [a, b])
        home.household.save(purse(560), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(purse(560), at: path, on: [a, b])
        #expect(RestoredCopy.names(beside: path, a.files) == [])
    }

    /// One that was told of before the agent wrote is not what the game goes on from.
    @Test func whatTheAgentWritesEndsIt() throws {
        let (home, a, b) = try household()
        try note(100, on: a)
        home.household.save(purse(550), to: path, on: b)
        home.expect(purse(550), at: path, on: [a, b])
        #expect(RestoredCopy.names(beside: path, a.files) == [])
        try note(100, on: a)
        home.household.save(purse(560), to: path, on: a)
        home.expect(purse(560), at: path, on: [a, b])
    }

    @Test func whileTheSaveIsDamagedNothingIsTakenUp() throws {
        let (home, a, b) = try household()
        home.household.save("{", to: path, on: a)
        try note(100, on: a)
        home.household.run(milliseconds: 5_000)
        #expect(RestoredCopy.names(beside: path, a.files).count == 1)
        home.household.save(purse(100), to: path, on: a)
        home.expect(purse(500), at: path, on: [a, b])
    }

    /// A restore note that cannot be read is taken to mean the save in the file.
    @Test func aDamagedNoteIsStillNoEdit() throws {
        let (home, a, b) = try household()
        try a.files.stage([0x7B], as: RestoredCopy.name(beside: path, tag: 7), beside: path)
        home.household.save(purse(100), to: path, on: a)
        home.expect(purse(500), at: path, on: [a, b])
    }

    /// The notes of a save whose name only begins alike are another's.
    @Test func namesAreTheSavesOwn() throws {
        let files = MemoryFiles()
        files.saveByRename([], at: "/saves/a.json")
        for path in ["/saves/a.json", "/saves/a.json-b"] {
            try files.stage([0x31], as: RestoredCopy.name(beside: path, tag: .max), beside: "/saves/a.json")
            #expect(RestoredCopy.names(beside: path, files) == [RestoredCopy.name(beside: path, tag: .max)])
        }
    }
}
