import HouseholdSimulation
import MergeCore
import Testing

@testable import HouseholdAgent

/// What a client is told that follows how everything is.
@Suite struct FollowTests {
    private let path = "/saves/game.json"

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        try Home.sharing(#"{"coins":100}"#, at: path, seed: 31)
    }

    private func reports(_ id: RequestID, _ device: SimulatedDevice) -> [FollowReport] {
        (device.replies[id] ?? []).compactMap { $0.message(FollowReport.self) }
    }

    @Test func itIsToldHowEverythingIsAndThenWhatChanges() throws {
        let (home, a, b) = try household()
        let id = home.household.ask(FollowRequest(), on: b)
        let first = try #require(reports(id, b).first)
        let profile = try #require(first.status.profiles.first)
        #expect(first.moved == [profile.id] && first.status.device.name == "deck")

        // Nothing happens, and nothing is told.
        home.household.run(milliseconds: 20_000)
        let before = reports(id, b).count
        home.household.run(milliseconds: 60_000)
        #expect(reports(id, b).count == before)

        home.household.save(#"{"coins":130}"#, to: path, on: a)
        let isTold = home.household.run(until: { reports(id, b).contains { $0.moved == [profile.id] && $0 != first } })
        #expect(isTold)
        // What is told last is how everything is.
        home.household.run(milliseconds: 5_000)
        let status = home.household.ask(StatusRequest(), on: b)
        #expect(reports(id, b).last?.status == b.replies[status]?.last?.message(StatusReport.self))
        // A report in which no save has moved tells of something else.
        for (former, next) in zip(reports(id, b), reports(id, b).dropFirst()) {
            #expect(former.status != next.status || !next.moved.isEmpty)
        }
    }

    @Test func aSecondClientIsToldEverythingAndTheFirstNothing() throws {
        let (home, _, b) = try household()
        let first = home.household.ask(FollowRequest(), on: b)
        home.household.run(milliseconds: 5_000)
        let count = reports(first, b).count
        let second = home.household.ask(FollowRequest(), on: b)
        #expect(reports(second, b).first?.moved.count == 1)
        #expect(reports(first, b).count == count)
    }

    /// However many saves come in a second, reports come twenty times in it at most.
    @Test func manyChangesAreFewReports() throws {
        let (home, a, _) = try household()
        let id = home.household.ask(FollowRequest(), on: a)
        let before = reports(id, a).count
        for coins in 0..<200 {
            home.household.save(#"{"coins":\#(coins)}"#, to: path, on: a)
            home.household.run(milliseconds: 5)
        }
        home.household.run(milliseconds: 100)
        #expect(reports(id, a).count - before <= 23)
    }

    @Test func theParts() throws {
        var followers = Followers()
        let device = DeviceReport(id: "d", name: "d", isThisDevice: true, connected: true)
        let status = StatusReport(
            device: device, port: 1, discovery: "off", household: [], profiles: [], troubles: [])
        var isDue = followers.isDue(now: 0)
        #expect(!isDue && followers.deadline == nil)
        followers.add(Call(RequestID(rawValue: 1)))
        isDue = followers.isDue(now: 0)
        var told = followers.look(status, [:], now: 0)
        #expect(isDue && told.count == 1)
        // Within the pause it waits, and has a deadline; afterwards it looks, and tells nothing that is known.
        isDue = followers.isDue(now: 10)
        #expect(!isDue && followers.deadline == 50)
        isDue = followers.isDue(now: 50)
        told = followers.look(status, [:], now: 50)
        #expect(isDue && told.isEmpty && followers.deadline == nil)
        followers.end(RequestID(rawValue: 1))
        isDue = followers.isDue(now: 200)
        #expect(!isDue && followers.deadline == nil)
    }
}
