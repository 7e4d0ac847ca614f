import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A paused profile belongs to its game alone, and comes back with everything.
@Suite struct PauseTests {
    private let path = "/saves/player.json"

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 8)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(
            path,
            #"{"coins":100,"level":1}"#,
            rules: home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))]),
            on: a
        )
        try home.restore(path, on: b)
        home.expect(#"{"coins":100,"level":1}"#, at: path, on: [b])
        return (home, a, b)
    }

    private func states(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) -> [String] {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        guard let reports = device.replies[id]?.last?.message(ProfileList.self)?.profiles else { return [] }
        return reports.map(\.state)
    }

    @Test(arguments: [false, true]) func bothSidesComeTogetherAfterwards(restarted: Bool) throws {
        let (home, a, b) = try household()
        #expect(states(PauseRequest(profile: "game"), home, a) == ["paused"])
        home.household.save(#"{"coins":110,"level":1}"#, to: path, on: a)
        home.household.save(#"{"coins":400,"level":3}"#, to: path, on: b)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == #"{"coins":110,"level":1}"#)
        #expect(home.household.text(of: path, on: b) == #"{"coins":400,"level":3}"#)
        if restarted {
            home.household.kill(a)
            try home.household.start(a)
            home.household.run(milliseconds: 60_000)
            #expect(home.household.text(of: path, on: a) == #"{"coins":110,"level":1}"#)
        }
        home.household.save(#"{"coins":120,"level":2}"#, to: path, on: a)
        #expect(states(ResumeRequest(profile: "game"), home, a) == ["good"])
        home.expect(#"{"coins":420,"level":3}"#, at: path, on: [a])
        home.expect(#"{"coins":420,"level":3}"#, at: path, on: [b])
    }

    @Test func aPausedProfileIsStillPassedOn() throws {
        let (home, a, b) = try household()
        let c = try home.device("desktop")
        try home.pair(a, c)
        _ = states(PauseRequest(profile: nil), home, a)
        home.household.save(#"{"coins":150,"level":1}"#, to: path, on: b)
        try home.restore(path, on: c)
        home.expect(#"{"coins":150,"level":1}"#, at: path, on: [c])
        #expect(home.household.text(of: path, on: a) == #"{"coins":100,"level":1}"#)
    }

    @Test func syncSaysThatItIsPaused() throws {
        let (home, a, _) = try household()
        _ = states(PauseRequest(profile: "game"), home, a)
        let id = home.household.ask(SyncRequest(profile: "game"), on: a)
        guard case .failure(.failed, let message)? = a.replies[id]?.last else {
            Issue.record("it synced")
            return
        }
        #expect(message == "game is paused on this device; go on with: hearth resume game")
    }
}
