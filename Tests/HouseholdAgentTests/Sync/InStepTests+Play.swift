import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// What `play` says after the game is what `sync` says.
extension InStepTests {
    private func begin(_ home: Home, _ device: SimulatedDevice) throws -> RequestID {
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: device)
        guard home.household.run(until: { device.replies[play] != nil }, within: 5_000) else {
            throw Home.Failure("not started")
        }
        return play
    }

    private func end(_ play: RequestID, _ home: Home, _ device: SimulatedDevice) throws -> PlayedReport {
        try #require(answer(EndPlayRequest(play: play), home, device)?.message(PlayedReport.self))
    }

    /// The other machine has it, and a game that runs there holds its file. That game is not waited for.
    @Test func aFileThatAnotherGameHoldsIsNotSaidToShowIt() throws {
        let (home, a, b) = try household()
        let (there, here) = (try begin(home, b), try begin(home, a))
        home.household.save(start.replacing("100", with: "130"), to: path, on: a)
        home.household.run(milliseconds: 2_000)
        let before = home.household.now
        let report = try end(here, home, a)
        #expect(home.household.now - before < .seconds(3))
        #expect(report.inStep == [] && report.behind == [] && report.filesBehind == ["deck"], "\(report)")
        let synced = try sync(home, a)
        #expect(synced.inStep == [] && synced.behind == [] && synced.filesBehind == ["deck"], "\(synced)")
        home.household.abandon(there, on: b)
        home.household.run(milliseconds: 2_000)
        let later = try end(try begin(home, a), home, a)
        #expect(later.inStep == ["deck"] && later.filesBehind == nil, "\(later)")
    }

    /// Of two games on this machine the other one still runs: what came in is not in the file here.
    @Test func whatAnotherGameHereHoldsIsSaid() throws {
        let (home, a, b) = try household()
        let (one, other) = (try begin(home, a), try begin(home, a))
        home.household.save(start.replacing("100", with: "150"), to: path, on: b)
        home.household.run(milliseconds: 2_000)
        let report = try end(one, home, a)
        #expect(report.held == ["what came in is written into game when rpg ends"], "\(report)")
        #expect(try sync(home, a).held == report.held)
        home.household.abandon(other, on: a)
    }
}
