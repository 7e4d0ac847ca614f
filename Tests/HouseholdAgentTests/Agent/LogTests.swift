import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// What happened lately, of all saves together, and of one save or one device.
@Suite struct LogTests {
    private let paths = ["/saves/rpg.json", "/saves/chess.json"]

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 29)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        for (path, name) in zip(paths, ["rpg", "chess"]) {
            try home.add(
                path, #"{"coins":100}"#, rules: try home.rules([("/coins", MergeRule(.counter))]), name: name, on: a)
            home.household.run(milliseconds: 1_000)
        }
        let id = home.household.ask(RestoreRequest(profile: "rpg", path: paths[0]), on: b)
        _ = home.household.run(until: { b.replies[id] != nil })
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    private func play(_ coins: Int, _ path: String, _ home: Home, _ device: SimulatedDevice) {
        home.household.save(#"{"coins":\#(coins)}"#, to: path, on: device)
        home.household.run(milliseconds: 5_000)
    }

    private func log(
        of subject: String? = nil, since: WallTime = 0, limit: Int = 1_000, _ home: Home, _ device: SimulatedDevice
    ) throws -> LogReport {
        let reply = try home.reply(to: LogRequest(subject: subject, since: since, limit: limit), on: device)
        guard let report = reply.message(LogReport.self) else { throw Home.Failure("no log: \(reply)") }
        return report
    }

    private func words(_ report: LogReport) -> [String] {
        report.entries.map { "\($0.profile) \($0.step.origin) \($0.step.devices.joined(separator: "+"))" }
    }

    @Test func whatHappenedIsListedNewestFirst_perSaveAndPerDevice() throws {
        let (home, a, b) = try household()
        let evening = home.household.date(on: a)
        play(130, paths[0], home, a)
        play(150, paths[0], home, b)
        play(90, paths[1], home, a)
        let all = ["chess save laptop", "rpg merge deck", "rpg save laptop"]
        #expect(try words(log(since: evening, home, a)) == all)
        let whole = try words(log(home, a))
        #expect(whole == all + ["chess adopt laptop", "rpg adopt laptop"])
        #expect(try words(log(of: "chess", since: evening, home, a)) == ["chess save laptop"])
        #expect(try words(log(of: "deck", since: evening, home, a)) == ["rpg merge deck"])
        #expect(try words(log(of: "laptop", since: evening, home, a)) == ["chess save laptop", "rpg save laptop"])
        let step = try #require(try log(of: "deck", home, a).entries.first?.step)
        #expect(step.changes.map(\.place) == ["/coins"])
        #expect(try log(since: evening + .seconds(60), home, a).entries.isEmpty)
    }

    /// More than is asked for: the newest are listed, and it is said.
    @Test func theNewestOfManyAreListed() throws {
        let (home, a, _) = try household()
        for coins in 101...170 { play(coins, paths[coins % 2], home, a) }
        let report = try log(limit: 60, home, a)
        #expect(report.entries.count == 60 && report.leftOut)
        #expect(report.entries.map(\.step.time) == report.entries.map(\.step.time).sorted(by: >))
        #expect(report.entries.first?.step.changes.first?.new == "170")
        #expect(try !log(home, a).leftOut)
        #expect(try log(home, a).entries.count > 70)
    }

    /// The agent's own lines are there for who asks for them, and are bounded.
    @Test func theAgentsLinesAreListedNewestFirst() throws {
        let (home, a, b) = try household()
        #expect(try log(home, a).lines == nil)
        func lines() throws -> [LogReport.Line] {
            let request = LogRequest(since: 0, limit: 1, lines: true)
            return try #require(try home.reply(to: request, on: a).message(LogReport.self)?.lines)
        }
        let first = try lines()
        #expect(first.contains { $0.facts.contains { $0.name == "device" && $0.value == "deck" } })
        #expect(first.allSatisfy { ["info", "notice", "warning", "error"].contains($0.level) })
        #expect(first.map(\.time) == first.map(\.time).sorted(by: >))
        for _ in 0..<150 {
            home.household.part(a, b)
            home.household.run(milliseconds: 60_000)
            home.household.part(a, b, false)
            home.household.run(milliseconds: 60_000)
        }
        let last = try lines()
        #expect(last.count <= 200 && last != first)
    }

    @Test func whatCannotBeListedIsSaid() throws {
        let (home, a, _) = try household()
        guard
            case .failure(.failed, let near) = try home.reply(
                to: LogRequest(subject: "dekc", since: 0, limit: 5), on: a),
            case .failure(.usage, let many) = try home.reply(to: LogRequest(since: 0, limit: 1_001), on: a)
        else { throw Home.Failure("it was listed") }
        #expect(near == "no save and no machine is called dekc; did you mean deck? 'hearth status' lists them")
        #expect(many.contains("1 to 1000"))
    }
}
