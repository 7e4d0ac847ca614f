import MergeCore
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation
@testable import ProfileKeeping

/// Wall clocks that are set while the agent runs: dates follow them, timers and the order of events do not.
@Suite struct ClockTests {
    private let path = "/saves/player.json"
    private let year = Duration.seconds(365 * 24 * 3_600)

    private func purse(_ coins: Int, _ name: String = "Ada") -> String { #"{"coins":\#(coins),"name":"\#(name)"}"# }

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        try Home.sharing(purse(100), at: path, rules: [("/coins", MergeRule(.counter))], seed: 31)
    }

    private func answer<Request: AgentRequest>(
        _ request: Request, _ home: Home, _ device: SimulatedDevice
    ) throws -> Request.Response {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        guard let response = device.replies[id]?.last?.message(Request.Response.self) else {
            throw Home.Failure("\(device.replies[id] ?? [])")
        }
        return response
    }

    /// Whether a date is that of the last minute, by the household's clock.
    private func isNow(_ milliseconds: Int64?, _ home: Home, _ device: SimulatedDevice) -> Bool {
        let age = home.household.date(on: device) - device.skew - WallTime(milliseconds: milliseconds ?? 0)
        return (.zero ..< .seconds(60)).contains(age)
    }

    /// What the trace says of links that ended, from a place on.
    private func endedLinks(_ home: Home, since place: Int) -> [String] {
        home.household.trace[place...].filter { $0.contains("a link ended") || $0.contains("a device is gone") }
    }

    // MARK: Dates

    @Test func afterAYearAheadDatesAreRightAgain() throws {
        let (home, a, b) = try household()
        a.skew = year
        home.household.run(milliseconds: 60_000)
        home.household.save(purse(110), to: path, on: a)
        home.expect(purse(110), at: path, on: [a, b], within: 1_000)
        a.skew = .zero
        home.household.save(purse(120, "Eve"), to: path, on: a)
        home.expect(purse(120, "Eve"), at: path, on: [a, b], within: 1_000)

        for device in [a, b] {
            let place = try answer(ExplainRequest(profile: "game", pointer: "/name"), home, device)
            #expect(isNow(place.contributions.first?.time, home, device), "\(place)")
        }
        // An undo of a reset is stamped with the clock alone, not with the time of a file.
        _ = try answer(ResetRequest(profile: "game", scope: nil), home, a)
        _ = try answer(UndoRequest(profile: "game"), home, a)
        let history = try answer(HistoryRequest(profile: "game", pointer: nil, limit: 1), home, a)
        #expect(isNow(history.history.first?.time, home, a), "\(history)")
        let id = try #require(a.record.profiles().first)
        let profile = try #require(a.machine?.engine.profiles[id])
        #expect(isNow(profile.state.epochs.map(\.id.stamp).max()?.time.milliseconds, home, a))
        home.household.run(milliseconds: 1_000)
        #expect(isNow(try answer(StatusRequest(), home, a).profiles.first?.lastSync, home, a))
    }

    /// What was written while the clock was ahead does not win over what was written with that in sight.
    @Test func whatWasWrittenAheadIsWrittenOver() throws {
        let (home, a, b) = try household()
        a.skew = year
        home.household.save(purse(100, "Bob"), to: path, on: a)
        home.expect(purse(100, "Bob"), at: path, on: [a, b], within: 1_000)
        a.skew = .zero
        for (device, name) in [(b, "Cid"), (a, "Dan"), (b, "Eve")] {
            home.household.save(purse(100, name), to: path, on: device)
            home.expect(purse(100, name), at: path, on: [a, b], within: 1_000)
            home.household.run(milliseconds: 1_000)
            home.expect(purse(100, name), at: path, on: [a, b], within: 1)
        }
    }

    // MARK: Timers

    /// A jump of the clock ends no link, and the file is read neither too early nor too late.
    @Test(arguments: [365 * 24 * 3_600, 3_600, -3_600, -365 * 24 * 3_600] as [Int64])
    func timersDoNotNotice(seconds: Int64) throws {
        let (home, a, b) = try household()
        let begun = home.household.trace.count
        for jump in [Duration.seconds(seconds), .zero] {
            a.skew = jump
            home.household.run(milliseconds: 100_000)
            #expect(endedLinks(home, since: begun) == [])

            // In the middle of a write in place: 200 ms are too short to take it for whole.
            let (before, saved) = (home.household.text(of: path, on: b), purse(200, "jump \(jump)"))
            let handle = try #require(a.files.holdOpen(path))
            a.files.write(Array(saved.utf8.prefix(9)), into: handle)
            home.household.hear(.written, at: path, on: a)
            a.skew = a.skew + .seconds(seconds)
            home.household.run(milliseconds: 200)
            a.files.write(Array(saved.utf8), into: handle, truncating: false)
            a.files.release(handle)
            home.household.hear(.written, at: path, on: a)
            #expect(home.household.text(of: path, on: b) == before)
            home.expect(saved, at: path, on: [a, b], within: 1_000)
        }
        // A device that says nothing any more is noticed in its time. Its last word is the answer to the last save.
        home.household.run(milliseconds: 100)
        home.household.mute(a, b)
        a.skew = .seconds(seconds)
        home.household.run(milliseconds: 44_000)
        #expect(endedLinks(home, since: begun) == [])
        a.skew = .zero
        home.household.run(milliseconds: 25_000)
        #expect(endedLinks(home, since: begun).count == 2)
    }

    @Test func aClockThatIsSetBackDoesNotKeepADeviceAway() throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.household.run(milliseconds: 120_000)
        a.skew = .seconds(-3_600)
        home.household.part(a, b, false)
        home.household.save(purse(300), to: path, on: a)
        home.expect(purse(300), at: path, on: [a, b], within: 45_000)
    }

    @Test func aCodeIsShownForItsTime() throws {
        let (home, a, _) = try household()
        a.skew = year
        let shown = home.household.ask(PairRequest(), on: a)
        let code = try #require(a.replies[shown]?.first?.message(PairingCodeMessage.self))
        let left = WallTime(milliseconds: code.expires) - home.household.date(on: a)
        #expect(left == .seconds(300), "it is said by the clock that people see")
        a.skew = .zero
        home.household.run(milliseconds: 299_000)
        #expect(a.replies[shown]?.count == 1)
        home.household.run(milliseconds: 2_000)
        #expect(a.replies[shown]?.count == 2, "the code is over")
    }

    // MARK: What a game has read

    /// The dangerous direction: a game that was started while the clock was ahead has not read what came in after the
    /// clock was set back, whatever the dates say.
    @Test(arguments: [true, false]) func aGameStartedAheadHasNotReadWhatCameLater(isSetBack: Bool) throws {
        let (home, a, b) = try household()
        let game = Program(executable: "/games/rpg")
        a.skew = year
        let process = home.household.launch(game, on: a)
        home.household.run(milliseconds: 10_000)
        // The game holds 100 coins in memory from here on.
        home.household.save(purse(110), to: path, by: process, isCaught: true, on: a)
        home.expect(purse(110), at: path, on: [a, b])
        if isSetBack { a.skew = .zero }
        home.household.run(milliseconds: 10_000)
        home.household.save(purse(610), to: path, on: b)
        home.expect(purse(610), at: path, on: [a, b])
        home.household.run(milliseconds: 10_000)
        home.household.save(purse(115), to: path, by: process, isCaught: true, on: a)
        home.expect(purse(615), at: path, on: [a, b])
    }

    /// And a game that was started after the clock was set back has read what came in while it was ahead.
    @Test func aGameStartedAfterTheClockWasSetBackHasReadWhatCameBefore() throws {
        let (home, a, b) = try household()
        let game = Program(executable: "/games/rpg")
        a.skew = year
        home.household.save(purse(600), to: path, on: b)
        home.expect(purse(600), at: path, on: [a, b])
        a.skew = .zero
        home.household.run(milliseconds: 10_000)
        let process = home.household.launch(game, on: a)
        home.household.run(milliseconds: 10_000)
        home.household.save(purse(100), to: path, by: process, isCaught: true, on: a)
        home.expect(purse(100), at: path, on: [a, b])
    }
}
