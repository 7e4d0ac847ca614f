import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A misspelt name of a save or a device is answered with the near one, whatever was asked for.
@Suite struct NameTests {
    private let path = "/saves/player.json"

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 23)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, #"{"coins":100}"#, name: "Universe RPG", on: a)
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    private func refusal(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> String {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil }, within: 15_000)
        guard case .failure(_, let why)? = device.replies[id]?.last else {
            throw Home.Failure("it was done: \(request) \(device.replies[id] ?? [])")
        }
        return why
    }

    @Test func everyRequestAnswersWithTheNearSave() throws {
        let (home, a, _) = try household()
        let name = "Univrese RPG"
        let requests: [any AgentRequest] = [
            AcceptRequest(profile: name), BackupsRequest(profile: name), ConflictsRequest(profile: name),
            ExplainRequest(profile: name, pointer: "/coins"), ExportRequest(profile: name),
            ForgetRequest(profile: name), HistoryRequest(profile: name, limit: 5), KeepRequest(profile: name),
            MigrateRequest(profile: name), MoveRequest(profile: name, path: "/x"), PauseRequest(profile: name),
            PlayRequest(profile: name, game: "rpg"), PreviewRequest(ResetRequest(profile: name)),
            RemoveRequest(profile: name), ResetRequest(profile: name), RestoreRequest(profile: name, path: "/x"),
            ShowRequest(profile: name), SummaryRequest(profile: name), SyncRequest(profile: name),
            UndoRequest(profile: name),
        ]
        for request in requests {
            let why = try refusal(request, home, a)
            #expect(why.hasPrefix("no save is called Univrese RPG "), "\(request): \(why)")
            #expect(why.contains("did you mean Universe RPG? "), "\(request): \(why)")
        }
        // Both devices are there, so nothing more will come.
        let before = home.household.now
        let none = try refusal(RestoreRequest(profile: "gg", path: "/x"), home, a)
        #expect(none == "no save is called gg in this household; 'hearth status' lists them")
        #expect(home.household.now - before <= .seconds(2))
        let far = try refusal(ShowRequest(profile: "Chess"), home, a)
        #expect(far == "no save is called Chess here; 'hearth status' lists them")
        #expect(try refusal(ShowRequest(profile: "universe rpg"), home, a).contains("did you mean Universe RPG? "))
    }

    @Test func aDeviceIsAnsweredWithTheNearOne() throws {
        let (home, a, _) = try household()
        let near = try refusal(UnpairRequest(device: "dekc"), home, a)
        #expect(near.contains("no device dekc is in this household; did you mean deck? it has: deck ("), "\(near)")
        #expect(try !refusal(UnpairRequest(device: "tower"), home, a).contains("did you mean"))
        #expect(try !refusal(UnpairRequest(device: "laptop"), home, a).contains("did you mean"), "it is this one")
    }
}
