import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Games that are known to run, in virtual time.
@Suite struct PlayTests {
    private let path = "/saves/player.json"

    /// Two devices with one purse, paired and in step.
    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 7)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, purse(100), rules: try home.rules([("/coins", MergeRule(.counter))]), on: a)
        try home.restore(path, on: b)
        home.expect(purse(100), at: path, on: [a])
        home.expect(purse(100), at: path, on: [b])
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    private func begin(_ home: Home, _ device: SimulatedDevice, within limit: Int64 = 5_000) throws -> RequestID {
        let id = home.household.ask(PlayRequest(profile: "game", game: "universe-rpg", since: nil), on: device)
        _ = home.household.run(until: { device.replies[id] != nil }, within: limit)
        guard case .event(is PlayReport)? = device.replies[id]?.last else {
            throw Home.Failure("\(device.replies[id] ?? [])")
        }
        return id
    }

    private func end(_ play: RequestID, _ home: Home, _ device: SimulatedDevice) throws -> PlayedReport {
        let id = home.household.ask(EndPlayRequest(play: play), on: device)
        _ = home.household.run(until: { device.replies[id] != nil }, within: 6_000)
        guard let report = device.replies[id]?.last?.message(PlayedReport.self),
            device.replies[play]?.last?.message(PlayedReport.self) == report
        else { throw Home.Failure("\(device.replies[id] ?? [])") }
        return report
    }

    // MARK: Held and released

    @Test func nothingIsWrittenWhileTheGameRuns_andAllOfItAfterwards() throws {
        let (home, a, b) = try household()
        let play = try begin(home, a)
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == purse(100))
        let status = try home.profile(on: a)
        #expect(status.held == "universe-rpg" && status.pending)
        // It is joined all the same, and passed on.
        let shown = home.household.ask(ShowRequest(profile: "game", pointer: "/coins"), on: a)
        guard let coins = a.replies[shown]?.last?.message(DocumentText.self)?.document else {
            throw Home.Failure("not shown")
        }
        #expect(coins == "500")
        // What the game saves is taken up at once.
        home.household.save(purse(110), to: path, on: a)
        home.expect(purse(510), at: path, on: [b])
        #expect(home.household.text(of: path, on: a) == purse(110))
        let report = try end(play, home, a)
        #expect(report.changed == 1 && report.inStep == ["deck"] && report.behind == [] && report.trouble == nil)
        #expect(home.household.text(of: path, on: a) == purse(510))
        #expect(try home.profile(on: a).held == nil)
    }

    /// Nobody "has" a save that was set aside, and what to do is said.
    @Test func aSaveThatIsAskedAboutIsSaidAfterTheGame() throws {
        let (home, a, b) = try household()
        let play = try begin(home, a)
        home.household.save("{}", to: path, on: a)
        home.household.run(milliseconds: 3_000)
        let report = try end(play, home, a)
        #expect(report.trouble?.hasPrefix("the last save lacks over half of what there was") == true, "\(report)")
        #expect(report.trouble?.contains("hearth accept game") == true && report.inStep == [], "\(report)")
        home.expect(purse(100), at: path, on: [a, b])
    }

    /// A game that wrote what its rule cannot read: its file is in step with no other.
    @Test func aValueThatItsRuleCannotReadIsSaidAfterTheGame() throws {
        let (home, a, _) = try household()
        let play = try begin(home, a)
        home.household.save(#"{"coins":"plenty"}"#, to: path, on: a)
        home.household.run(milliseconds: 3_000)
        let report = try end(play, home, a)
        #expect(report.inStep == [] && report.trouble?.contains("/coins: counter takes a number") == true, "\(report)")
    }

    /// What a message suggests works when it is pasted, whatever the save is called.
    @Test func theNameOfAPausedSaveIsQuotedForAShell() throws {
        let home = Home(seed: 8)
        let a = try home.device("laptop")
        try home.add(path, purse(100), name: "Ada's $x", on: a)
        _ = home.household.ask(PauseRequest(profile: "Ada's $x"), on: a)
        let id = home.household.ask(PlayRequest(profile: "Ada's $x", game: "rpg", since: nil), on: a)
        _ = home.household.run(until: { a.replies[id] != nil })
        let trouble = try #require(a.replies[id]?.last?.message(PlayReport.self)?.trouble)
        #expect(trouble.hasSuffix(#"go on with: hearth resume 'Ada'\''s $x'"#), "\(trouble)")
    }

    /// The file goes while the game runs, and comes back as it was: what came in meanwhile is written after the game.
    @Test func whatCameInIsWrittenThoughTheFileWasGoneForAMoment() throws {
        let (home, a, b) = try household()
        let play = try begin(home, a)
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 10_000)
        home.household.delete(path, on: a)
        home.household.run(milliseconds: 2_000)
        home.household.save(purse(100), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        _ = try end(play, home, a)
        home.expect(purse(500), at: path, on: [a, b], within: 5_000)
    }

    /// However the client goes.
    @Test func whoeverPlayedGoesAway_andTheFileIsWritten() throws {
        let (home, a, b) = try household()
        let play = try begin(home, a)
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 10_000)
        #expect(home.household.text(of: path, on: a) == purse(100))
        home.household.abandon(play, on: a)
        home.expect(purse(500), at: path, on: [a], within: 1_000)
        // And before it even started.
        home.household.part(a, b)
        home.household.run(milliseconds: 100)
        let early = home.household.ask(PlayRequest(profile: "game", game: "g", since: nil), on: b)
        home.household.abandon(early, on: b)
        home.household.run(milliseconds: 10_000)
        #expect(b.replies[early] == nil)
        #expect(try home.profile(on: b).held == nil)
    }

    @Test func ofSeveralGamesOnOneProfileTheLastReleasesIt() throws {
        let (home, a, b) = try household()
        let (first, second) = (try begin(home, a), try begin(home, a))
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        _ = try end(first, home, a)
        home.household.run(milliseconds: 40_000)
        #expect(home.household.text(of: path, on: a) == purse(100))
        home.household.abandon(second, on: a)
        home.expect(purse(500), at: path, on: [a], within: 1_000)
    }

    @Test func otherProfilesAreNotHeld() throws {
        let (home, a, b) = try household()
        let other = "/saves/other.json"
        home.household.save(#"{"n":1}"#, to: other, on: a)
        _ = home.household.ask(AddRequest(path: other, name: "other", rules: nil), on: a)
        _ = home.household.ask(RestoreRequest(profile: "other", path: other), on: b)
        home.expect(#"{"n":1}"#, at: other, on: [b])
        _ = try begin(home, b)
        home.household.save(#"{"n":2}"#, to: other, on: a)
        home.expect(#"{"n":2}"#, at: other, on: [b], within: 5_000)
    }

    /// A game that was started already is held at once, as after a restart of the agent.
    @Test func aRestartedAgentIsToldOfTheGameThatRuns() throws {
        let (home, a, b) = try household()
        let play = try begin(home, a)
        let started = home.household.date(on: a)
        home.household.kill(a)
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        try home.household.start(a)
        let again = home.household.ask(PlayRequest(profile: "game", game: "universe-rpg", since: started), on: a)
        guard case .event(is PlayReport)? = a.replies[again]?.last else { throw Home.Failure("not held at once") }
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == purse(100))
        let lost = home.household.ask(EndPlayRequest(play: play), on: a)
        guard case .failure(.failed, _)? = a.replies[lost]?.last else { throw Home.Failure("the old one is unknown") }
        _ = try end(again, home, a)
        #expect(home.household.text(of: path, on: a) == purse(500))
    }

    // MARK: Before the game

    /// What the other side did while this one was away is there when the game starts.
    @Test func theOthersAreAskedFirst() throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(purse(700), to: path, on: a)
        home.household.run(milliseconds: 3_600_000)
        home.household.part(a, b, false)
        // The deck is the one that knows where the other is.
        let before = home.household.now
        _ = try begin(home, b)
        #expect((.milliseconds(1) ..< .milliseconds(500)).contains(home.household.now - before))
        #expect(home.household.text(of: path, on: b) == purse(700))
    }

    @Test func inStepThereIsNoWait_aloneNeither() throws {
        let (home, a, _) = try household()
        var before = home.household.now
        _ = try begin(home, a)
        #expect(home.household.now - before < .milliseconds(10))
        let single = Home(seed: 3)
        let only = try single.device("laptop")
        try single.add(path, purse(1), on: only)
        before = single.household.now
        _ = try begin(single, only)
        #expect(single.household.now - before < .milliseconds(400), "the file has to settle, nobody has to be asked")
    }

    @Test func nobodyReachable_theGameStartsAtOnce() throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        for device in [a, b] {
            let before = home.household.now
            let play = try begin(home, device)
            #expect(home.household.now - before < .milliseconds(100), "a dial fails at once")
            home.household.save(purse(130), to: path, on: device)
            home.household.run(milliseconds: 1_000)
            let report = try end(play, home, device)
            #expect(report.changed == 1 && report.inStep == [] && report.behind.count == 1 && report.trouble == nil)
        }
    }

    /// Who is away is waited for two seconds, and who is there and slow for five.
    @Test(arguments: [(Int64(1_900), Int64(5_000)), (7_000, 2_000)])
    func whoDoesNotAnswerIsWaitedForFiveSecondsAtMost(delay: Int64, limit: Int64) throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        home.household.save(purse(500), to: path, on: a)
        home.household.run(milliseconds: 300_000)
        home.household.part(a, b, false)
        home.household.delay = delay...delay
        let before = home.household.now
        let id = home.household.ask(PlayRequest(profile: "game", game: "g", since: nil), on: b)
        _ = home.household.run(until: { b.replies[id] != nil })
        guard let report = b.replies[id]?.last?.message(PlayReport.self) else { throw Home.Failure("not started") }
        #expect(report.behind == ["laptop"])
        #expect(home.household.now - before == .milliseconds(limit))
        // What comes in late is held.
        home.household.delay = 1...5
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: b) == purse(100))
        home.household.abandon(id, on: b)
        home.expect(purse(500), at: path, on: [b], within: 1_000)
    }

    @Test func aSaveThatWasDeletedIsBackBeforeTheGameStarts() throws {
        let (home, a, _) = try household()
        a.files.delete(path)
        let before = home.household.now
        _ = try begin(home, a)
        #expect(home.household.text(of: path, on: a)?.contains("100") == true)
        #expect(home.household.now - before < .seconds(1))
    }

    @Test func whatIsUnknownIsSaid() throws {
        let (home, a, b) = try household()
        let unknown = home.household.ask(PlayRequest(profile: "nobody", game: "g", since: nil), on: a)
        guard case .failure(.failed, let sentence)? = a.replies[unknown]?.last else { throw Home.Failure("known") }
        #expect(sentence.contains("nobody"))
        _ = home.household.ask(RemoveRequest(profile: "game"), on: b)
        let relayed = home.household.ask(PlayRequest(profile: "game", game: "g", since: nil), on: b)
        guard case .failure(.failed, let other)? = b.replies[relayed]?.last else { throw Home.Failure("held") }
        #expect(other.contains("hearth restore"))
        #expect(b.replies[relayed]?.count == 1)
    }
}
