import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// The order of arrays between whole devices.
@Suite struct ArrayOrderTests {
    private let path = "/saves/player.json"
    private let start = #"{"tags":["z","a",10,9],"bag":[{"id":"rope","n":1},{"id":"axe","n":2}],"level":1}"#

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 5)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([
            ("/tags", MergeRule(.set)), ("/bag[id]", MergeRule(.latest)), ("/level", MergeRule(.max)),
        ])
        try home.add(path, start, rules: rules, on: a)
        try home.restore(path, on: b)
        let isThere = home.household.run(until: { home.household.text(of: path, on: b) != nil })
        #expect(isThere)
        return (home, a, b)
    }

    private func count(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> Int {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        let reply = try #require(device.replies[id]?.last)
        let count = reply.message(HistoryList.self)?.history.count ?? reply.message(BackupList.self)?.backups.count
        guard let count else { throw Home.Failure("\(reply)") }
        return count
    }

    @Test func aNewDeviceHasArraysInTheGamesOrder() throws {
        let (home, _, b) = try household()
        let text = home.household.text(of: path, on: b) ?? ""
        #expect(text.contains(#"["z","a",10,9]"#), "\(text)")
        #expect(text.contains(#"[{"id":"rope","n":1},{"id":"axe","n":2}]"#), "\(text)")
    }

    @Test func anOrderReachesTheOtherFileAndIsNoPlay() throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: 5_000)
        let requests: [any AgentRequest] = [
            HistoryRequest(profile: "game", pointer: nil, limit: 50), BackupsRequest(profile: "game"),
        ]
        let before = try requests.flatMap { [try count($0, home, a), try count($0, home, b)] }
        let own = #"{"tags":[9,"z",10,"a"],"bag":[{"id":"axe","n":2},{"id":"rope","n":1}],"level":1}"#
        home.household.save(own, to: path, on: a)
        let done = home.household.run(
            until: {
                let text = home.household.text(of: path, on: b) ?? ""
                return text.contains(#"[9,"z",10,"a"]"#) && text.contains(#"[{"id":"axe","n":2},{"id":"rope","n":1}]"#)
            }, within: 20_000)
        #expect(done, "\(home.household.text(of: path, on: b) ?? "")")
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a) == own)
        #expect(try requests.flatMap { [try count($0, home, a), try count($0, home, b)] } == before)
    }

    @Test func whatBothAddApartComesInOneOrder() throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: 3_000)
        let there = try #require(home.household.text(of: path, on: b))
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(start.replacing(#"10,9]"#, with: #"10,9,"p","o"]"#), to: path, on: a)
        home.household.save(there.replacing(#"10,9]"#, with: #"10,9,"q","n"]"#), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        func tags(_ device: SimulatedDevice) -> Substring? {
            let text = home.household.text(of: path, on: device) ?? ""
            guard let start = text.firstRange(of: "\"tags\":[")?.upperBound else { return nil }
            return text[start...].prefix { $0 != "]" }
        }
        let done = home.household.run(
            until: { tags(a) == tags(b) && (tags(a) ?? "").split(separator: ",").count == 8 }, within: 120_000)
        #expect(done, "\(tags(a) ?? "") and \(tags(b) ?? "")")
    }
}
