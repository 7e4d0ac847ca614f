import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A player copies the file of one machine over that of another one, which hears of it later: what was played once counts
/// twice, unless a person says that it was a copy. Two players may have played the same, so nothing is taken off unasked.
@Suite struct CarriedByHandTests {
    private let path = "/saves/player.json"
    private let rules = [
        ("/coins", MergeRule(.counter)), ("/inv[id]/count", MergeRule(.counter)), ("/unlocked", MergeRule(.union)),
        ("/best", MergeRule(.max)),
    ]

    private func text(_ coins: Int, _ potions: Int = 5, _ unlocked: String = "", title: String = "Squire") -> String {
        #"{"coins":\#(coins),"inv":[{"id":"potion","count":\#(potions)}],"unlocked":[\#(unlocked)],"title":"\#(title)"}"#
    }

    private func household(seed: UInt64) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let (home, a, b) = try Home.sharing(text(300), at: path, rules: rules, seed: seed)
        home.expect(text(300), at: path, on: [a, b])
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        return (home, a, b)
    }

    private func meet(_ home: Home, _ a: SimulatedDevice, _ b: SimulatedDevice) {
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
    }

    private func asked(_ home: Home, _ device: SimulatedDevice) throws -> String? {
        try home.profile(on: device).decisions?.first
    }

    private func accept(_ home: Home, _ device: SimulatedDevice) throws {
        let reply = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: device)
        _ = try #require(reply.message(ProfileAnswer.self), "\(reply)")
        home.household.run(milliseconds: 5_000)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func itIsAskedAndCountsOnce(seed: UInt64) throws {
        let (home, a, b) = try household(seed: seed)
        let played = text(400, 7, #""cave""#, title: "Knight")
        for device in [a, b] { home.play(played, at: path, on: device) }
        meet(home, a, b)
        let twice = text(500, 9, #""cave""#, title: "Knight")
        home.expect(twice, at: path, on: [a, b])
        for device in [a, b] {
            let words = try #require(try asked(home, device))
            #expect(words.contains("exactly the same (/coins from 300 to 400, /inv/[\"potion\"]/count from 5 to 7)"))
        }
        // A question that changes nothing meanwhile keeps nobody behind.
        #expect(try home.profile(on: a).behind?.isEmpty != false)
        try accept(home, seed.isMultiple(of: 2) ? a : b)
        home.expect(played, at: path, on: [a, b])
        for device in [a, b] { #expect(try asked(home, device) == nil) }
        // What is played then counts.
        home.play(text(410, 7, #""cave""#, title: "Knight"), at: path, on: b)
        home.expect(text(410, 7, #""cave""#, title: "Knight"), at: path, on: [a, b])
    }

    /// Both machines are asked, and both players answer before the machines hear of each other again.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func twoAnswersCountOnce(seed: UInt64) throws {
        let (home, a, b) = try household(seed: seed)
        let played = text(250, 8, #""sea""#, title: "Knight")
        let twice = text(200, 11, #""sea""#, title: "Knight")
        for device in [a, b] { home.play(played, at: path, on: device) }
        meet(home, a, b)
        home.expect(twice, at: path, on: [a, b])
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        for device in [a, b] { try accept(home, device) }
        home.expect(played, at: path, on: [a, b])
        meet(home, a, b)
        home.expect(played, at: path, on: [a, b])
    }

    /// The file went to two other machines. Each pair of the three asks, and every answer is the same: one of them counts.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func threeCopiesCountOnce(seed: UInt64) throws {
        let (home, a, b) = try Home.sharing(text(300), at: path, rules: rules, seed: seed)
        let c = try home.device("desktop")
        try home.pair(a, c)
        home.household.run(milliseconds: 60_000)
        try home.restore(path, on: c)
        home.expect(text(300), at: path, on: [a, b, c])
        for (one, other) in [(a, b), (a, c), (b, c)] { home.household.part(one, other) }
        home.household.run(milliseconds: 60_000)
        let played = text(400, 7, #""cave""#, title: "Knight")
        for device in [a, b, c] { home.play(played, at: path, on: device) }
        for (one, other) in [(a, b), (a, c), (b, c)] { home.household.part(one, other, false) }
        home.expect(text(600, 11, #""cave""#, title: "Knight"), at: path, on: [a, b, c])
        home.household.run(milliseconds: 60_000)
        for device in [a, b, c] {
            while try asked(home, device) != nil { try accept(home, device) }
        }
        home.household.run(milliseconds: 60_000)
        home.expect(played, at: path, on: [a, b, c])
    }

    /// Who says that both were played keeps both, on every machine.
    @Test func bothMayHaveBeenPlayed() throws {
        let (home, a, b) = try household(seed: 5)
        for device in [a, b] { home.play(text(400, 7, #""sea""#, title: "Knight"), at: path, on: device) }
        meet(home, a, b)
        for device in [a, b] {
            let preview = try home.reply(to: PreviewRequest(KeepRequest(profile: "game")), on: device)
            let shown = try #require(preview.message(PreviewReport.self))
            #expect(shown.keeps?.question == .savedTwice)
            _ = try home.reply(to: KeepRequest(profile: "game", question: shown.question), on: device)
            #expect(try asked(home, device) == nil)
        }
        home.household.run(milliseconds: 60_000)
        home.expect(text(500, 9, #""sea""#, title: "Knight"), at: path, on: [a, b])
        for device in [a, b] {
            let profile = try home.profile(on: device)
            #expect(profile.decisions == nil && profile.remark == nil && profile.behind == nil)
        }
    }

    /// The machine from which the file was taken plays on before they meet, or the other one does.
    @Test(arguments: [true, false]) func whoeverPlaysOn(isOrigin: Bool) throws {
        let (home, a, b) = try household(seed: 6)
        home.play(text(350, 5, #""cave""#), at: path, on: a)
        home.play(text(400, 7, #""cave""#, title: "Knight"), at: path, on: a)
        home.play(text(400, 7, #""cave""#, title: "Knight"), at: path, on: b)
        home.play(text(407, 7, #""cave","sea""#, title: "Knight"), at: path, on: isOrigin ? a : b)
        meet(home, a, b)
        home.expect(text(507, 9, #""cave","sea""#, title: "Knight"), at: path, on: [a, b])
        let devices = isOrigin ? (asked: a, other: b) : (asked: b, other: a)
        #expect(try asked(home, devices.asked) != nil && asked(home, devices.other) == nil)
        try accept(home, devices.asked)
        home.expect(text(407, 7, #""cave","sea""#, title: "Knight"), at: path, on: [a, b])
    }

    /// What came in is read before the file is: the agent was off while the file was copied.
    @Test func whileTheAgentIsOff() throws {
        let (home, a, b) = try household(seed: 7)
        home.household.kill(b)
        let played = text(400, 7, #""cave""#, title: "Knight")
        home.play(played, at: path, on: a)
        home.household.save(played, to: path, on: b)
        home.household.part(a, b, false)
        try home.household.start(b)
        home.household.run(milliseconds: 60_000)
        home.expect(text(500, 9, #""cave""#, title: "Knight"), at: path, on: [a, b])
        let device = try #require(try [a, b].first { try asked(home, $0) != nil })
        try accept(home, device)
        home.expect(played, at: path, on: [a, b])
    }

    /// Different play is no copy. Neither is what everybody gets on a day, nor what adds up to nothing, nor what no counter
    /// holds.
    @Test(arguments: [
        (#"{"coins":350,"best":7,"map":"a","day":"mon"}"#, #"{"coins":350,"best":8,"map":"a","day":"mon"}"#),
        (#"{"coins":350,"best":7,"map":"a","day":"mon"}"#, #"{"coins":351,"best":7,"map":"a","day":"mon"}"#),
        (#"{"coins":350,"best":7,"map":"a","day":"mon"}"#, #"{"coins":350,"map":"a","day":"mon"}"#),
        (#"{"coins":350,"day":"2026-11-30","streak":3}"#, #"{"coins":350,"day":"2026-11-30","streak":3}"#),
        (#"{"coins":350}"#, #"{"coins":350}"#),
        (#"{"coins":300,"best":7,"at":1764531234}"#, #"{"coins":300,"best":7,"at":1764531234}"#),
    ]) func otherPlayIsNotAskedAbout(one: String, other: String) throws {
        let (home, a, b) = try Home.sharing(#"{"coins":300}"#, at: path, rules: rules, seed: 8)
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        home.play(one, at: path, on: a)
        home.play(other, at: path, on: b)
        meet(home, a, b)
        for device in [a, b] { #expect(try asked(home, device) == nil) }
    }

    /// One place is enough where it is a long number: nobody plays for the same time to the second.
    @Test func aLongNumberSaysEnough() throws {
        let (home, a, b) = try Home.sharing(
            #"{"played":1000}"#, at: path, rules: [("/played", MergeRule(.counter))], seed: 9)
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        for device in [a, b] { home.play(#"{"played":7654321}"#, at: path, on: device) }
        meet(home, a, b)
        #expect(try asked(home, a) != nil)
        try accept(home, b)
        home.expect(#"{"played":7654321}"#, at: path, on: [a, b])
    }

    /// Asked on both machines, and then something else happens on one of them.
    private func asked(seed: UInt64, then act: (Home, SimulatedDevice) throws -> Void) throws -> (
        home: Home, a: SimulatedDevice, b: SimulatedDevice
    ) {
        let (home, a, b) = try household(seed: seed)
        for device in [a, b] { home.play(text(400, 7, #""cave""#, title: "Knight"), at: path, on: device) }
        meet(home, a, b)
        #expect(try asked(home, a) != nil && asked(home, b) != nil)
        try act(home, b)
        home.household.run(milliseconds: 30_000)
        return (home, a, b)
    }

    /// After a reset, or under other rules, nothing counts twice: the question ends on both machines, and no answer takes
    /// anything from what is there then.
    @Test(arguments: [true, false]) func itEndsWithAReset(isReset: Bool) throws {
        let (home, a, b) = try asked(seed: 11) { home, device in
            let request: any AgentRequest =
                isReset ? ResetRequest(profile: "game") : AddRequest(path: path, name: "game", rules: RuleSet.empty)
            _ = try home.reply(to: request, on: device)
        }
        let now = home.household.text(of: path, on: a)
        for device in [a, b] {
            #expect(try asked(home, device) == nil)
            let reply = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: device)
            #expect(reply.message(ProfileAnswer.self) == nil, "\(reply)")
        }
        home.household.run(milliseconds: 30_000)
        #expect(home.household.text(of: path, on: a) == now && home.household.text(of: path, on: b) == now)
    }

    /// Both bought the same: more is gone than there was. The one purchase counts.
    @Test(arguments: [1, 2] as [UInt64]) func whatWasSpentTwiceIsGivenBack(seed: UInt64) throws {
        let (home, a, b) = try household(seed: seed)
        let bought = text(50, 5, #""sword","map""#, title: "Knight")
        for device in [a, b] { home.play(bought, at: path, on: device) }
        meet(home, a, b)
        home.expect(text(0, 5, #""sword","map""#, title: "Knight"), at: path, on: [a, b])
        try accept(home, a)
        home.expect(bought, at: path, on: [a, b])
    }

    /// The same under rules that name a version of the save.
    @Test func underRulesOfAVersion() throws {
        let home = Home(seed: 12)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        func save(_ coins: Int, _ level: Int) -> String {
            #"{"version":1,"coins":\#(coins),"level":\#(level),"map":"m\#(level)","room":"r\#(level)"}"#
        }
        let entry = RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter))
        try home.add(
            path, save(300, 1), rules: RuleSet([entry], version: "1", versionAt: "/version"), on: a)
        try home.restore(path, on: b)
        home.expect(save(300, 1), at: path, on: [a, b])
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        for device in [a, b] { home.play(save(400, 2), at: path, on: device) }
        meet(home, a, b)
        home.expect(save(500, 2), at: path, on: [a, b])
        try accept(home, try asked(home, a) != nil ? a : b)
        home.expect(save(400, 2), at: path, on: [a, b])
    }

    /// An element that came new holds a counter.
    @Test func aNewElement() throws {
        let (home, a, b) = try household(seed: 13)
        func save(_ count: Int) -> String {
            let gem = #"{"id":"gem","count":\#(count)}"#
            return
                #"{"coins":300,"inv":[{"id":"potion","count":5},\#(gem)],"unlocked":["cave","sea"],"title":"Knight"}"#
        }
        for device in [a, b] { home.play(save(4), at: path, on: device) }
        meet(home, a, b)
        home.expect(save(8), at: path, on: [a, b])
        try accept(home, a)
        home.expect(save(4), at: path, on: [a, b])
    }

    /// The question is still there after a start, and its answer counts.
    @Test func theQuestionIsKept() throws {
        let (home, a, b) = try household(seed: 10)
        let played = text(400, 7, #""cave""#, title: "Knight")
        for device in [a, b] { home.play(played, at: path, on: device) }
        meet(home, a, b)
        let words = try #require(try asked(home, a))
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 10_000)
        #expect(try asked(home, a) == words)
        try accept(home, a)
        home.expect(played, at: path, on: [a, b])
    }
}
