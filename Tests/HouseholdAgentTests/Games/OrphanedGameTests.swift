import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Games that outlive whoever held their file.
@Suite struct OrphanedGameTests {
    private let path = "/saves/player.json"
    private let mark = PlayMark(token: "0123456789abcdef", client: 42, clientStart: 1_000)!

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    /// Two devices with one purse, in step; on the first one a game runs.
    private func playing() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice, play: RequestID) {
        let home = Home(seed: 12)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, purse(100), rules: try home.rules([("/coins", MergeRule(.counter))]), on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        a.programs.set(mark, isRunning: true)
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil, mark: mark), on: a)
        _ = home.household.run(until: { a.replies[play] != nil })
        guard case .event(is PlayReport)? = a.replies[play]?.last else {
            throw Home.Failure("\(a.replies[play] ?? [])")
        }
        return (home, a, b, play)
    }

    private func held(_ home: Home, _ device: SimulatedDevice) -> String? {
        let id = home.household.ask(StatusRequest(), on: device)
        guard let report = device.replies[id]?.last?.message(StatusReport.self) else { return nil }
        return report.profiles.first?.held
    }

    /// `hearth play` is killed, and the game saves from memory as long as it runs.
    @Test func aKilledPlayLeavesTheFileToItsGame() throws {
        let (home, a, b, play) = try playing()
        home.household.abandon(play, on: a)
        home.household.save(purse(500) + "\n", to: path, on: b)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == purse(100))
        #expect(held(home, a) == "rpg")
        home.household.save(purse(110), to: path, on: a)
        home.expect(purse(510) + "\n", at: path, on: [b])
        #expect(home.household.text(of: path, on: a) == purse(110))
        a.programs.set(mark, isRunning: false)
        home.expect(purse(510), at: path, on: [a], within: 3_000)
        #expect(held(home, a) == nil)
    }

    /// The agent is killed, with or without whoever played: nothing is written before the game has ended, and its last
    /// save is counted from what it had read. 400 came in meanwhile, which it had not.
    @Test(arguments: [true, false]) func theHoldOutlivesTheAgent(endsMeanwhile: Bool) throws {
        let (home, a, b, _) = try playing()
        home.household.save(purse(500) + "\n", to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.kill(a)
        home.household.run(milliseconds: 1_000)
        if endsMeanwhile {
            home.household.save(purse(90), to: path, on: a)
            a.programs.set(mark, isRunning: false)
            try home.household.start(a)
        } else {
            try home.household.start(a)
            home.household.run(milliseconds: 60_000)
            #expect(home.household.text(of: path, on: a) == purse(100))
            #expect(held(home, a) == "rpg")
            home.household.save(purse(90), to: path, on: a)
            home.household.run(milliseconds: 5_000)
            #expect(home.household.text(of: path, on: a) == purse(90))
            a.programs.set(mark, isRunning: false)
        }
        home.expect(purse(490), at: path, on: [a], within: 10_000)
        home.expect(purse(490) + "\n", at: path, on: [b])
        // The note is gone: the next start holds nothing, whatever runs.
        a.programs.set(mark, isRunning: true)
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 1_000)
        #expect(held(home, a) == nil)
    }

    /// Whoever plays comes back to an agent that was started anew, and goes on holding.
    @Test func whoeverPlayedComesBack() throws {
        let (home, a, b, _) = try playing()
        let started = home.household.date(on: a)
        home.household.kill(a)
        home.household.save(purse(500) + "\n", to: path, on: b)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a) == purse(100))
        let again = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: started, mark: mark), on: a)
        guard case .event(is PlayReport)? = a.replies[again]?.last else { throw Home.Failure("not held at once") }
        a.programs.set(mark, isRunning: false)
        home.household.run(milliseconds: 30_000)
        #expect(held(home, a) == "rpg", "it says itself when it is over")
        let end = home.household.ask(EndPlayRequest(play: again), on: a)
        _ = home.household.run(until: { a.replies[end] != nil })
        home.expect(purse(500), at: path, on: [a], within: 1_000)
        home.household.kill(a)
        try home.household.start(a)
        #expect(held(home, a) == nil)
    }
}
