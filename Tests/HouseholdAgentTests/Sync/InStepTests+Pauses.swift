import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// Pauses.
extension InStepTests {
    @Test func aPausedSaveIsLeftOutAndNamed() throws {
        let (home, a, b) = try household()
        _ = answer(PauseRequest(profile: "game"), home, a)
        #expect(try sync(home, a).paused == ["game"])
        #expect(try sync(home, a).inStep == [], "nothing was compared")
        #expect(try sync(home, b).filesBehind == ["laptop"])
        _ = answer(ResumeRequest(profile: "game"), home, a)
        home.household.run(milliseconds: 1_000)
        #expect(try isInStep(home, b, with: "laptop"))
    }

    /// What was played on a paused save is in its file alone, and that is said.
    @Test func playOnAPausedSaveSaysSo() throws {
        let (home, a, _) = try household()
        _ = answer(PauseRequest(profile: "game"), home, a)
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: a)
        _ = home.household.run(until: { a.replies[play] != nil })
        guard let begun = a.replies[play]?.last?.message(PlayReport.self) else { throw Home.Failure("not started") }
        #expect(begun.trouble?.contains("paused") == true)
        home.household.save(start.replacing("100", with: "150"), to: path, on: a)
        home.household.run(milliseconds: 1_000)
        guard let report = answer(EndPlayRequest(play: play), home, a)?.message(PlayedReport.self) else {
            throw Home.Failure("not ended")
        }
        #expect(report.isPaused == true && report.inStep == [] && report.behind == [], "nothing was compared")
    }

    // MARK: Choices

    @Test func anOpenChoiceWaitsForThePlayer_andTheHistoryTellsWhatTheFileShows() throws {
        let (home, a, b) = try household()
        #expect(try home.profile(on: a).decisions == nil)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(start.replacing("open", with: "good"), to: path, on: a)
        home.household.run(milliseconds: 1_000)
        home.household.save(start.replacing("open", with: "bad").replacing("7", with: "8"), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        for (device, own) in [(a, "good"), (b, "bad")] {
            #expect(
                try home.profile(on: device).decisions == [
                    "a choice waits for you; until then each device keeps its own: hearth conflicts game"
                ])
            let report = try sync(home, device)
            #expect(report.inStep == [] && report.decisions?.count == 1 && report.troubles == nil)
            let begun = try beginPlay(home, device)
            #expect(begun.trouble?.contains("hearth conflicts game") == true && begun.inStep == [])
            guard
                let steps = answer(
                    HistoryRequest(profile: "game", pointer: "/ending", limit: 10), home, device)?.message(
                        HistoryList.self)?.history
            else { throw Home.Failure("no history") }
            #expect(steps.first?.changes.first?.new == "\"\(own)\"", "on \(device.name): \(steps)")
            #expect(steps.allSatisfy { $0.origin != "merge" }, "on \(device.name): \(steps)")
        }
        guard let conflicts = answer(ConflictsRequest(profile: nil), home, a)?.message(ConflictList.self)?.conflicts,
            let good = conflicts.first?.candidates.firstIndex(where: { $0.value == "\"good\"" })
        else { throw Home.Failure("no conflict") }
        _ = answer(ResolveRequest(profile: "game", pointer: "/ending", choice: good + 1), home, a)
        home.household.run(milliseconds: 5_000)
        for device in [a, b] {
            #expect(try home.profile(on: device).decisions == nil)
            #expect(try sync(home, device).behind == [])
            #expect(home.household.text(of: path, on: device)?.contains("good") == true)
        }
        guard
            let steps = answer(HistoryRequest(profile: "game", pointer: "/ending", limit: 1), home, b)?.message(
                HistoryList.self)?.history,
            let change = steps.first?.changes.first
        else { throw Home.Failure("no history") }
        #expect(change.old == "\"bad\"" && change.new == "\"good\"")
    }

    // MARK: Links

    /// What was in step before is known to be so at once, and when it was stays known.
    @Test func afterARestartItIsKnownAtOnce() throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: 40_000)
        home.household.kill(a)
        home.household.kill(b)
        try home.household.start(a)
        home.household.run(milliseconds: 3_000)
        let alone = try home.profile(on: a).lastSync
        #expect(alone.map { $0 < (home.household.date(on: a) - .seconds(30)).milliseconds } == true, "it is remembered")
        try home.household.start(b)
        home.household.run(milliseconds: 3_000)
        for device in [a, b] {
            #expect(try home.status(on: device).household.first?.connected == true)
            #expect(try #require(try home.profile(on: device).lastSync) > (alone ?? 0), "on \(device.name)")
        }
    }

    /// Also where the agent is killed right after the first time.
    @Test func afterACrashASaveIsNotSaidToBeHereAlone() throws {
        let (home, a, b) = try household()
        home.household.kill(b)
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 3_000)
        #expect(try home.profile(on: a).lastSync != nil)
    }

    /// Only one side knows where the other is.
    @Test(arguments: [Int64(1_000), 20_000, 50_000]) func aKilledDeviceIsConnectedSoonAfterItsReturn(away: Int64) throws
    {
        let (home, a, b) = try household()
        home.household.run(milliseconds: 120_000)
        home.household.kill(a)
        home.household.run(milliseconds: away)
        #expect(try home.status(on: b).household.first?.connected == false)
        #expect(try sync(home, b).behind == ["laptop"])
        home.household.run(milliseconds: 1_000)
        try home.household.start(a)
        home.household.run(milliseconds: 2_100)
        #expect(try home.status(on: b).household.first?.connected == true)
    }

    /// Nothing comes through any more, and nobody is told.
    @Test func aSilentLinkIsNoConnection() throws {
        let (home, a, b) = try household()
        home.household.mute(a, b)
        let report = try sync(home, a)
        #expect(report.inStep == [] && report.behind == ["deck"])
        home.household.run(milliseconds: 25_000)
        for device in [a, b] {
            let other = try #require(try home.status(on: device).household.first)
            #expect(!other.connected, "on \(device.name)")
        }
        home.household.run(milliseconds: 60_000)
        home.household.mute(a, b, false)
        home.household.run(milliseconds: 40_000)
        #expect(try isInStep(home, a, with: "deck"))
    }

    // MARK: Files

    /// What is local is nowhere but in the file: a deleted one comes back with it.
    @Test func aDeletedSaveComesBackWithWhatIsLocal() throws {
        let (home, a, b) = try household()
        a.files.delete(path)
        home.household.run(milliseconds: 3_000)
        home.household.save(#"{"coins":130,"ending":"open"}"#, to: path, on: b)
        home.household.run(milliseconds: 12_000)
        #expect(home.household.text(of: path, on: a) == start.replacing("100", with: "130"))
    }

    @Test func aDeletedSaveThatNobodyChangedComesBackAsItWas() throws {
        let (home, a, _) = try household()
        a.files.delete(path)
        home.household.run(milliseconds: 41_000)
        #expect(home.household.text(of: path, on: a) == start)
        #expect(try isInStep(home, a, with: "deck"))
    }
}
