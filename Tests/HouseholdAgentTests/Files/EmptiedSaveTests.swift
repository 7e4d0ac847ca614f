import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A game that found nothing writes nothing first, and then what it begins with. Neither beats what there was.
@Suite struct EmptiedSaveTests {
    private let path = "/saves/player.json"
    private static let full =
        #"{"coins":111,"level":8,"name":"Hero","friends":["Ada","Bo"],"pos":{"x":4,"y":9},"notes":["a","b"]}"#
    private static let fresh = #"{"coins":0,"level":1,"name":"","friends":[],"pos":{"x":0,"y":0},"notes":[]}"#
    /// What another game begins with: no place of it is empty.
    private static let filled =
        #"{"coins":100,"level":1,"name":"Player","friends":["Cy"],"pos":{"x":1,"y":1},"notes":["new"]}"#

    /// A friend who was found counts, whatever else a save holds.
    private static let withFriend = full.replacing(#""Bo"]"#, with: #""Bo","Cy"]"#)

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let rules: [(String, MergeRule)] = [
            ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/friends", MergeRule(.set)),
        ]
        let (home, a, b) = try Home.sharing(Self.full, at: path, rules: rules, seed: 33)
        home.play(Self.full, at: path, on: b)
        return (home, a, b)
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws {
        let reply = try home.reply(to: request, on: device)
        guard case .response(is ProfileAnswer) = reply else { throw Home.Failure("not done: \(reply)") }
        home.household.run(milliseconds: 5_000)
    }

    /// The file is written anew between the two saves, or the second one comes first; the question may be answered in
    /// between.
    @Test(
        arguments: [("null", "[]"), ("{}", fresh), ("{}", filled), ("[]", "{}"), (#"{"level":1}"#, fresh)],
        [(100, false), (5_000, true)])
    func whatAGameBeginsWithAfterNothingIsSetAside(_ saves: (String, String), _ pause: (Int64, Bool)) throws {
        let (home, a, b) = try household()
        home.household.save(saves.0, to: path, on: a)
        home.household.run(milliseconds: pause.0)
        if pause.1 { try answer(KeepRequest(profile: "game"), home, a) }
        home.household.save(saves.1, to: path, on: a)
        home.household.run(milliseconds: 10_000)
        let shown = saves.1 == Self.filled ? Self.withFriend : Self.full
        home.expect(shown, at: path, on: [a, b])
        let question = try #require(try home.profile(on: a).decisions?.first)
        let words = ["the last save lacks over half", "the last save goes on from a save that lacked over half"]
        #expect(words.contains { question.hasPrefix($0) }, "\(question)")
        // Either answer is about the save that came last.
        let (other, c, d) = try household()
        other.household.save(saves.0, to: path, on: c)
        other.household.run(milliseconds: pause.0)
        other.household.save(saves.1, to: path, on: c)
        other.household.run(milliseconds: 10_000)
        try answer(AcceptRequest(profile: "game", apart: false), other, c)
        other.expect(saves.1, at: path, on: [c, d])
        try answer(KeepRequest(profile: "game"), home, a)
        home.expect(shown, at: path, on: [a, b])
        #expect(try home.profile(on: a).decisions == nil)
    }

    /// What was not taken up at first is not written over later either, also after a restart of the agent.
    @Test func whatWaitsIsNotWrittenOverLater() throws {
        let (home, a, b) = try household()
        home.play("{}", at: path, on: a)
        for (name, x) in [("", 0), ("", 3), ("Bob", 3), ("", 5), ("", 0)] {
            let text = Self.fresh.replacing(#""name":"""#, with: #""name":"\#(name)""#)
                .replacing(#""x":0"#, with: #""x":\#(x)"#)
            home.play(text, at: path, on: a)
            home.expect(Self.full, at: path, on: [a, b])
            home.household.kill(a)
            try home.household.start(a)
            home.household.run(milliseconds: 5_000)
        }
        #expect(try home.profile(on: a).decisions != nil)
    }

    /// Amounts that are earned on what was set aside count. Values wait for the answer.
    @Test func playOnWhatWasSetAsideCounts() throws {
        let (home, a, b) = try household()
        home.play("{}", at: path, on: a)
        home.play(Self.fresh, at: path, on: a)
        home.expect(Self.full, at: path, on: [a, b])
        let begun = #"{"coins":5,"level":1,"name":"Bob","friends":["Zoe"],"pos":{"x":0,"y":0},"notes":[]}"#
        home.play(begun, at: path, on: a)
        let now =
            #"{"coins":116,"level":8,"name":"Hero","friends":["Ada","Bo","Zoe"],"pos":{"x":4,"y":9},"notes":["a","b"]}"#
        home.expect(now, at: path, on: [a, b])
        // Once more than half is there again, what it writes over was never read all the same; also after a restart.
        try answer(KeepRequest(profile: "game"), home, a)
        let later = begun.replacing("Bob", with: "").replacing(#""x":0"#, with: #""x":3"#)
        for text in [later, begun.replacing(#""x":0"#, with: #""x":5"#), later, begun] {
            home.play(text, at: path, on: a)
            home.expect(now, at: path, on: [a, b])
            home.household.kill(a)
            try home.household.start(a)
            home.household.run(milliseconds: 5_000)
        }
        try answer(AcceptRequest(profile: "game", apart: false), home, a)
        home.expect(begun, at: path, on: [a, b])
        // From here on it is the household's, and so is what is played on it.
        let on = begun.replacing("Bob", with: "Rob")
        home.play(on, at: path, on: a)
        home.expect(on, at: path, on: [a, b])
        #expect(try home.profile(on: a).decisions == nil)
    }
}
