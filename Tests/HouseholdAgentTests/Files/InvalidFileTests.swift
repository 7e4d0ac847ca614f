import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Synchronization
import Testing

/// What stands at a save's path and is none: the last good state comes back by itself, and the invalid file is kept.
@Suite struct InvalidFileTests {
    private let path = "/saves/player.json"
    private let save = #"{"coins":100,"level":1}"#

    private func household(_ name: String = "game") throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 12)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))])
        try home.add(path, save, rules: rules, name: name, on: a)
        let id = home.household.ask(RestoreRequest(profile: name, path: path), on: b)
        _ = home.household.run(until: { b.replies[id] != nil })
        home.expect(save, at: path, on: [b])
        return (home, a, b)
    }

    private func quarantined(_ home: Home, _ device: SimulatedDevice) throws -> [String] {
        let id = try #require(ProfileID(hex: try home.profile(on: device).id))
        return device.files.quarantined(of: id).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: ["", #"{"coins":1"#, "\0\0\0\0"]) func comesBackByItself(odd: String) throws {
        let (home, a, b) = try household()
        home.household.save(odd, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: a).state == "bad")
        // Meanwhile the other device plays on: what is put back is what is known, and no older session.
        home.household.save(#"{"coins":150,"level":2}"# + "\n", to: path, on: b)
        home.household.run(milliseconds: 20_000)
        #expect(home.household.text(of: path, on: a) == odd)
        home.expect(#"{"coins":150,"level":2}"#, at: path, on: [a], within: 15_000)
        #expect(home.household.text(of: path, on: b) == #"{"coins":150,"level":2}"# + "\n")
        let report = try home.profile(on: a)
        #expect(report.state == "good")
        #expect(report.remark?.contains("that file is kept at ") == true)
        #expect(try quarantined(home, a) == [odd])
        // And play goes on.
        home.household.save(#"{"coins":160,"level":2}"#, to: path, on: a)
        home.expect(#"{"coins":160,"level":2}"# + "\n", at: path, on: [b])
    }

    /// Its game may well read what Hearth cannot: the session in it is not taken away. Play goes on with the next save
    /// that can be read, and what the others play counts.
    @Test(arguments: [#"{"coins":NaN,"level":1}"#, #"{"coins":1,"coins":2}"#, #"{"coins":130,"level":2,}"#])
    func aWholeFileThatIsNoJSONStaysAsItIs(odd: String) throws {
        let (home, a, b) = try household()
        home.household.save(odd, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        let reason = try #require(try home.profile(on: a).reason)
        #expect(reason.contains("it stays as it is, and sync goes on when its game writes JSON again"), "\(reason)")
        home.household.save(#"{"coins":150,"level":2}"#, to: path, on: b)
        home.household.run(milliseconds: 120_000)
        #expect(home.household.text(of: path, on: a) == odd)
        #expect(try quarantined(home, a) == [])
        home.household.save(#"{"coins":130,"level":2}"#, to: path, on: a)
        home.expect(#"{"coins":180,"level":2}"#, at: path, on: [a, b])
    }

    /// Undo is no wish for another file: a whole one stays. A reset is.
    @Test func anActThatIsAboutAPlaceLeavesAWholeFile() throws {
        let (home, a, _) = try household()
        home.household.save(#"{"coins":120,"level":1}"#, to: path, on: a)
        home.household.run(milliseconds: 2_000)
        home.household.save(#"{"coins":NaN}"#, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        let undo = home.household.ask(UndoRequest(profile: "game"), on: a)
        home.household.run(milliseconds: 5_000)
        #expect(a.replies[undo]?.last?.message(ProfileAnswer.self) != nil, "\(a.replies[undo] ?? [])")
        #expect(home.household.text(of: path, on: a) == #"{"coins":NaN}"#)
        #expect(try quarantined(home, a) == [])
        _ = home.household.ask(ResetRequest(profile: "game"), on: a)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a) != #"{"coins":NaN}"#)
        #expect(try quarantined(home, a) == [#"{"coins":NaN}"#])
    }

    /// The player asked for it while the game ran; the agent is killed before the file could be written.
    @Test func whatTheAdviceDidIsNotForgottenAtAStart() throws {
        let (home, a, _) = try household()
        a.programs.set("my-game", since: home.household.now)
        home.household.configure(["game": "my-game"], on: a)
        home.household.save(#"{"coins":NaN}"#, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        _ = home.household.ask(RestoreRequest(profile: "game", path: path), on: a)
        home.household.run(milliseconds: 2_000)
        #expect(home.household.text(of: path, on: a) == #"{"coins":NaN}"#, "its game runs")
        home.household.kill(a)
        a.programs.set("my-game", since: nil)
        try home.household.start(a)
        home.expect(save, at: path, on: [a], within: 40_000)
    }

    @Test func theAdvicePutsBackAWholeFileThatIsNoJSON() throws {
        let (home, a, _) = try household()
        home.household.save(#"{"coins":NaN}"#, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        let reason = try #require(try home.profile(on: a).reason)
        #expect(reason.hasSuffix("with: hearth restore game --to /saves/player.json"), "\(reason)")
        let id = home.household.ask(RestoreRequest(profile: "game", path: path), on: a)
        _ = home.household.run(until: { a.replies[id] != nil }, within: 1_000)
        #expect(home.household.text(of: path, on: a) == save)
        #expect(try quarantined(home, a) == [#"{"coins":NaN}"#])
    }

    @Test func whatTheAdviceNamesPutsItBackAtOnce() throws {
        let (home, a, _) = try household("Ada's game")
        home.household.save("{", to: path, on: a)
        home.household.run(milliseconds: 5_000)
        let reason = try #require(try home.profile(on: a).reason)
        #expect(reason.hasSuffix(#"at once with: hearth restore 'Ada'\''s game' --to /saves/player.json"#))
        let id = home.household.ask(RestoreRequest(profile: "Ada's game", path: path), on: a)
        _ = home.household.run(until: { a.replies[id] != nil }, within: 1_000)
        #expect(home.household.text(of: path, on: a) == save)
        #expect(try quarantined(home, a) == ["{"])
    }

    @Test func nothingIsPutBackOverAGameThatWritesOrRuns() throws {
        let (home, a, _) = try household()
        // Every write begins the time anew.
        for odd in ["{", #"{"c"#, #"{"co"#] {
            home.household.save(odd, to: path, on: a)
            home.household.run(milliseconds: 25_000)
            #expect(home.household.text(of: path, on: a) == odd)
        }
        a.programs.set("my-game", since: home.household.now)
        home.household.configure(["game": "my-game"], on: a)
        home.household.run(milliseconds: 120_000)
        #expect(home.household.text(of: path, on: a) == #"{"co"#)
        home.household.save(#"{"coins":120,"level":1}"#, to: path, on: a)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == #"{"coins":120,"level":1}"#)
        #expect(try quarantined(home, a) == [])
    }

    /// A swap that finds the file changed leaves the quarantine as it is, so the next one follows at once.
    @Test func aSwapThatFailsDoesNotBeginTheTimeAnew() throws {
        let (home, a, _) = try household()
        let swaps = Mutex(0)
        a.files.power.setHook { operation throws(StorageFault) in
            guard case .exchange = operation else { return }
            let count = swaps.withLock { count in
                count += 1
                return count
            }
            if count == 1 { throw StorageFault(.changed, "the file has changed") }
        }
        home.household.save("{", to: path, on: a)
        home.expect(save, at: path, on: [a], within: 45_000)
        #expect(swaps.withLock { $0 } == 2, "the first swap failed")
        #expect(try quarantined(home, a) == ["{"])
    }

    @Test func aRestartBeginsTheTimeAnewAndLosesNothing() throws {
        let (home, a, _) = try household()
        home.household.save("", to: path, on: a)
        home.household.run(milliseconds: 20_000)
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 20_000)
        #expect(home.household.text(of: path, on: a) == "")
        home.expect(save, at: path, on: [a], within: 15_000)
    }
}
