import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// Values that their rule cannot read.
extension InStepTests {
    /// Expects that a device's status names a place of its file as not read, that it calls nobody in step, and that the
    /// other device knows.
    func expectUnread(
        _ words: String, _ home: Home, _ here: SimulatedDevice, _ there: SimulatedDevice, _ when: String
    ) throws {
        #expect(try home.profile(on: here).unreadable == [words], "\(when)")
        let report = try sync(home, here)
        #expect(report.inStep == [] && report.behind == [] && report.decisions == nil, "\(when): \(report)")
        #expect(
            report.troubles == [
                "game: not synced, because its rule does not fit the value: \(words); the other machines keep what they "
                    + "have there. Give the place another rule (hearth add FILE --rules F), or let the game write a "
                    + "value that the rule takes"
            ], "\(when)")
        let other = try sync(home, there)
        #expect(other.inStep == [] && other.filesBehind == [here.name], "\(when): \(other)")
        let profile = try home.profile(on: there)
        #expect(profile.unreadable == [] && profile.behind == [here.name], "\(when)")
        let begun = try beginPlay(home, here)
        #expect(begun.trouble?.contains(words) == true && begun.inStep == [], "\(when): \(begun)")
    }

    /// What is said before a game begins; the game is ended at once.
    func beginPlay(_ home: Home, _ device: SimulatedDevice) throws -> PlayReport {
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: device)
        _ = home.household.run(until: { device.replies[play] != nil })
        guard let begun = device.replies[play]?.last?.message(PlayReport.self) else {
            throw Home.Failure("not started")
        }
        home.household.abandon(play, on: device)
        home.household.run(milliseconds: 3_000)
        return begun
    }

    /// A counter that holds a word: nobody is in step with that file, whatever is saved beside it, also after a restart
    /// and an act, until the game writes a number again.
    @Test func aValueThatItsRuleCannotReadIsNotInStep() throws {
        let (home, a, b) = try household()
        let words = "/coins: counter takes a number of at most 1,000 digits"
        func save(_ coins: String, _ ending: String) {
            home.household.save(#"{"coins":\#(coins),"ending":"\#(ending)","grid":7}"#, to: path, on: a)
            home.household.run(milliseconds: 3_000)
        }
        save(#""plenty""#, "open")
        try expectUnread(words, home, a, b, "at once")
        save(#""plenty""#, "crown")
        #expect(home.household.text(of: path, on: b)?.contains(#""coins":100,"ending":"crown""#) == true)
        try expectUnread(words, home, a, b, "after another save")
        home.household.save(#"{"coins":130,"ending":"crown"}"#, to: path, on: b)
        home.household.run(milliseconds: 3_000)
        #expect(home.household.text(of: path, on: a)?.contains("plenty") == true)
        try expectUnread(words, home, a, b, "after a change of the other device")
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        try expectUnread(words, home, a, b, "after a restart")
        _ = answer(UndoRequest(profile: "game", step: nil, force: false), home, a)
        home.household.run(milliseconds: 3_000)
        try expectUnread(words, home, a, b, "after an act")
        save("150", "crown")
        for device in [a, b] { #expect(try home.profile(on: device).unreadable == []) }
        #expect(try isInStep(home, a, with: "deck"))
        #expect(try isInStep(home, b, with: "laptop"))
    }

    /// Where nothing counted before, a value that no counter reads travels as it is: both files hold the same, until one
    /// device counts there.
    @Test func aValueThatNobodyReadsButAllHaveIsInStep() throws {
        let home = Home(seed: 17)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, #"{"day":1}"#, rules: home.rules([("/coins", MergeRule(.counter))]), on: a)
        try home.restore(path, on: b)
        home.household.save(#"{"day":1,"coins":"none"}"#, to: path, on: a)
        home.expect(#"{"day":1,"coins":"none"}"#, at: path, on: [a, b])
        home.household.run(milliseconds: 3_000)
        #expect(try isInStep(home, a, with: "deck"))
        home.household.save(#"{"day":1,"coins":5}"#, to: path, on: b)
        home.household.run(milliseconds: 3_000)
        let words = "/coins: counter takes a number of at most 1,000 digits"
        try expectUnread(words, home, a, b, "once the other device counts")
        home.household.save(#"{"day":1,"coins":6}"#, to: path, on: a)
        home.household.run(milliseconds: 3_000)
        #expect(try isInStep(home, a, with: "deck"))
    }

    /// Two elements of one id: the array is not synced as it is.
    @Test func anArrayThatItsRuleCannotTakeApartIsNotInStep() throws {
        let home = Home(seed: 18)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([("/bag[id]/n", MergeRule(.counter))])
        try home.add(path, #"{"bag":[{"id":1,"n":5}]}"#, rules: rules, on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 3_000)
        for day in 1...2 {
            home.household.save(#"{"bag":[{"id":1,"n":5},{"id":1,"n":2}],"day":\#(day)}"#, to: path, on: a)
            home.household.run(milliseconds: 3_000)
            let words = #"/bag: two elements have the "id" 1; the array is not synced as it is"#
            try expectUnread(words, home, a, b, "day \(day)")
        }
        home.household.save(#"{"bag":[{"id":1,"n":5},{"id":2,"n":2}],"day":3}"#, to: path, on: a)
        home.household.run(milliseconds: 3_000)
        #expect(try isInStep(home, a, with: "deck"))
    }

    /// Under `max` the file gets what was there before: in step, and said until it is settled.
    @Test func aValueThatWasPutBackIsNamedUntilThatIsSettled() throws {
        let home = Home(seed: 19)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, #"{"level":5,"day":1}"#, rules: home.rules([("/level", MergeRule(.max))]), on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 3_000)
        home.household.save(#"{"level":"seven","day":2}"#, to: path, on: a)
        home.expect(#"{"level":5,"day":2}"#, at: path, on: [a, b])
        home.household.save(#"{"level":5,"day":3}"#, to: path, on: a)
        home.expect(#"{"level":5,"day":3}"#, at: path, on: [a, b])
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        let remark = try home.profile(on: a).remark
        // Whether the game had read what was put back is a guess beside it.
        #expect(
            remark?.hasPrefix(
                "the rule of /level (max cannot compare this value with the one before) does not take what the game "
                    + "wrote there, and keeps what was there; if the game means it, give the place another rule")
                == true, "\(remark ?? "-")")
        #expect(try isInStep(home, a, with: "deck"))
        _ = answer(KeepRequest(profile: "game"), home, a)
        #expect(try home.profile(on: a).remark == nil)
    }
}
