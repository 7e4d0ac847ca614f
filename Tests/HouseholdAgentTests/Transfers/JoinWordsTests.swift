import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// The words about a counter after two saves became one: what came of the join was neither earned nor spent.
@Suite struct JoinWordsTests {
    private let path = "/saves/player.json"

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    /// Both have a save, and know one another.
    private func household(
        _ laptop: Int, _ deck: Int
    ) throws -> (home: Home, laptop: SimulatedDevice, deck: SimulatedDevice) {
        let home = Home(seed: 71)
        let (first, second) = (try home.device("laptop"), try home.device("deck"))
        let rules = try home.rules([("/coins", MergeRule(.counter))])
        try home.add(path, purse(laptop), rules: rules, on: first)
        try home.add(path, purse(deck), rules: rules, on: second)
        return (home, first, second)
    }

    private func join(_ home: Home, _ device: SimulatedDevice, apart: Bool) throws -> AgentReply {
        let other = try #require(try home.status(on: device).profiles.first { $0.file == nil })
        return try home.reply(to: RestoreRequest(profile: other.id, path: path, apart: apart), on: device)
    }

    private func pair(_ home: Home, _ one: SimulatedDevice, _ other: SimulatedDevice) throws {
        try home.pair(one, other)
        home.household.run(milliseconds: 5_000)
    }

    /// The laptop's 500 and the deck's 240 were played apart, and the deck's player has made them one. Also gives the id.
    private func joinedApart() throws -> (home: Home, laptop: SimulatedDevice, deck: SimulatedDevice, id: String) {
        let (home, laptop, deck) = try household(500, 240)
        try pair(home, laptop, deck)
        _ = try join(home, deck, apart: true)
        home.expect(purse(740), at: path, on: [laptop, deck], within: 20_000)
        let profile = try #require(try home.status(on: deck).profiles.first { $0.file != nil })
        return (home, laptop, deck, profile.id)
    }

    private func explained(_ home: Home, _ device: SimulatedDevice) throws -> String? {
        let profile = try #require(try home.status(on: device).profiles.first { $0.file != nil })
        return try home.reply(to: ExplainRequest(profile: profile.id, pointer: "/coins"), on: device)
            .message(ExplainReport.self)?.sentence
    }

    @Test func whatWasPlayedApartWasNotEarnedAgain() throws {
        let (home, laptop, deck, _) = try joinedApart()
        for device in [laptop, deck] {
            #expect(try explained(home, device) == "740 = 500 + 240 as deck made two saves one")
        }
        home.play(purse(750), at: path, on: deck)
        #expect(try explained(home, laptop) == "750 = 500 + deck earned 10 + 240 as deck made two saves one")
    }

    /// The deck has a copy of the laptop's save, which the laptop goes on with.
    @Test func whatACopyHoldsWasNotSpent() throws {
        let (home, laptop, deck) = try household(300, 400)
        home.play(purse(390), at: path, on: laptop)
        home.play(purse(405), at: path, on: deck)
        try pair(home, laptop, deck)
        _ = try join(home, deck, apart: false)
        home.expect(purse(405), at: path, on: [laptop, deck], within: 20_000)
        let words = try explained(home, laptop) ?? ""
        #expect(!words.contains("spent") && words.contains("− 90 as deck made two saves one"), "\(words)")
    }

    /// Both players say it while they are apart: it counts once, and nothing of the second time is left in the words.
    @Test func whatBothSaidApartIsExplainedOnce() throws {
        let (home, laptop, deck) = try household(500, 360)
        try pair(home, laptop, deck)
        home.household.part(laptop, deck)
        _ = try join(home, laptop, apart: true)
        _ = try join(home, deck, apart: true)
        home.household.run(milliseconds: 5_000)
        home.household.part(laptop, deck, false)
        home.household.run(milliseconds: 60_000)
        home.expect(purse(860), at: path, on: [laptop, deck], within: 60_000)
        for device in [laptop, deck] {
            let words = try explained(home, device) ?? ""
            #expect(!words.contains("spent") && !words.contains("earned"), "\(words)")
            #expect(words.hasPrefix("860 = 500 + 360 as "), "\(words)")
        }
    }

    /// A reset puts the amounts of a join aside with all others.
    @Test func aResetEndsThem() throws {
        let (home, laptop, deck, id) = try joinedApart()
        _ = try home.reply(to: ResetRequest(profile: id, scope: nil), on: deck)
        home.household.run(milliseconds: 5_000)
        home.play(purse(9), at: path, on: deck)
        let words = try explained(home, laptop) ?? ""
        #expect(words.hasSuffix("deck earned 9"), "\(words)")
    }

    /// `undo` without a number takes nothing back that two saves became one by, and says how to.
    @Test func anUndoNamesTheStepOfTheJoin() throws {
        let (home, _, deck, id) = try joinedApart()
        let undo = UndoRequest(profile: id, step: nil, force: false)
        guard case .failure(_, let why) = try home.reply(to: undo, on: deck) else {
            Issue.record("it was done")
            return
        }
        #expect(why.contains("since two saves became one, which is step 2") && why.hasSuffix(" 2"), "\(why)")
    }
}
