import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

/// Games of several versions in one household, asked of whole devices.
@Suite struct VersionTests {
    private let path = "/saves/player.json"

    private func rules(
        _ version: Int, _ steps: [[MigrationStep]], _ list: [(String, MergeRule)] = [("/coins", MergeRule(.counter))]
    ) throws -> RuleSet {
        try RuleSet(
            list.map { RuleSet.Entry(try RulePattern(parsing: $0.0), $0.1) },
            version: "\(version).0",
            versionAt: "/version",
            migrations: steps.prefix(version - 1).enumerated().map {
                Migration(from: "\($0 + 1).0", to: "\($0 + 2).0", steps: $1)
            })
    }

    /// Version 2 renames a member, grants 500 for a sword that is no more, and has a volume.
    private var second: RuleSet {
        get throws {
            try rules(
                2,
                [
                    [
                        .rename(RulePattern(parsing: "/hp"), to: "health"), .remove(RulePattern(parsing: "/sword")),
                        .compensate(.init(tokens: ["coins"]), add: .init(500), for: .init(tokens: ["sword"])),
                        .fill(RulePattern(parsing: "/volume"), value: 5),
                    ]
                ])
        }
    }

    private func old(_ coins: Int, hp: Int = 3, sword: Bool = true) -> String {
        #"{"version":"1.0","hp":\#(hp),"coins":\#(coins)"# + (sword ? #","sword":1}"# : "}")
    }

    private func new(_ coins: Int, health: Int = 3) -> String {
        #"{"version":"2.0","health":\#(health),"coins":\#(coins),"volume":5}"#
    }

    /// Two devices with one save of version 1, in step.
    private func household(_ seed: UInt64 = 1) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        home.household.save(old(100), to: path, on: b)
        try home.add(path, old(100), rules: try rules(1, []), on: a)
        try home.restore(path, on: b)
        home.expect(old(100), at: path, on: [a, b])
        return (home, a, b)
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) -> AgentReply? {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return device.replies[id]?.last
    }

    private func state(_ home: Home, _ device: SimulatedDevice) -> ProfileReport? {
        guard let report = answer(StatusRequest(), home, device)?.message(StatusReport.self) else { return nil }
        return report.profiles.first
    }

    private func raise(_ rules: RuleSet, _ home: Home, _ device: SimulatedDevice) -> AgentReply? {
        answer(AddRequest(path: path, name: "game", rules: rules), home, device)
    }

    /// Nothing is written into the file of an older game, but for one that is no save: its last save comes back.
    @Test func anInvalidFileOfAnOlderGameIsPutBack() throws {
        let (home, a, b) = try household()
        home.household.save(new(100), to: path, on: a)
        #expect(raise(try second, home, a) != nil)
        home.household.run(milliseconds: 5_000)
        #expect(state(home, b)?.state == "behind")
        let last = home.household.text(of: path, on: b)
        home.household.save("{", to: path, on: b)
        home.household.run(milliseconds: 5_000)
        #expect(state(home, b)?.state == "bad")
        home.household.run(milliseconds: 40_000)
        #expect(home.household.text(of: path, on: b) == last)
        #expect(state(home, b)?.state == "behind")
    }

    @Test func aDeviceWhoseGameIsOldPlaysOnAndItsFileIsNotTouched() throws {
        let (home, a, b) = try household()
        guard let raised = raise(try second, home, a)?.message(ProfileAnswer.self) else {
            Issue.record("the rules were not taken: \(String(describing: a.replies))")
            return
        }
        #expect(raised.profile.state == "good" && raised.note?.contains("of version 2.0") == true)
        home.expect(new(600), at: path, on: [a])
        home.household.run(milliseconds: 20_000)
        // B is told, and its file is what its game wrote.
        #expect(home.household.text(of: path, on: b) == old(100))
        #expect(state(home, b)?.state == "behind")
        #expect(state(home, b)?.reason?.contains("2.0") == true)
        // Both go on playing, each in its own version.
        home.household.save(old(110, hp: 9), to: path, on: b)
        home.expect(new(610, health: 9), at: path, on: [a])
        home.household.save(new(590, health: 9), to: path, on: a)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: b) == old(110, hp: 9))
        home.household.save(old(130, hp: 4, sword: false), to: path, on: b)
        home.expect(new(610, health: 4), at: path, on: [a])
        // Then B's game is updated.
        guard
            let summary = answer(
                MigrateRequest(profile: "game", to: nil, backup: nil, dryRun: false),
                home,
                b
            )?.message(MigrationSummary.self)
        else {
            Issue.record("not migrated: \(String(describing: b.replies))")
            return
        }
        #expect(summary.from == "1.0" && summary.to == "2.0" && summary.backup != nil && summary.errors == [])
        home.expect(new(610, health: 4), at: path, on: [a, b])
        #expect(state(home, b)?.state == "good")
        home.household.save(new(615, health: 4), to: path, on: b)
        home.expect(new(615, health: 4), at: path, on: [a, b])
        #expect(home.household.trace.contains { $0.contains("a save was migrated") && $0.contains("rename /hp: 1") })
    }

    /// The game updated itself and upcast its own save, as games do.
    @Test func aGameThatUpcastsItsOwnSaveIsBackInStep() throws {
        let (home, a, b) = try household()
        _ = raise(try second, home, a)
        home.household.run(milliseconds: 20_000)
        home.household.save(new(600), to: path, on: b)
        home.household.run(milliseconds: 20_000)
        home.expect(new(600), at: path, on: [a, b])
        home.household.save(new(625), to: path, on: b)
        home.expect(new(625), at: path, on: [a, b])
    }

    /// Both players put in the new rules while apart: the grant is given once, and what both earned is there.
    @Test(arguments: [1, 2, 3] as [UInt64]) func twoDevicesThatUpcastApartGrantOnce(seed: UInt64) throws {
        let (home, a, b) = try household(seed)
        home.household.part(a, b)
        home.household.run(milliseconds: 2_000)
        home.household.save(old(110), to: path, on: a)
        home.household.save(old(103), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        _ = raise(try second, home, a)
        home.household.run(milliseconds: 5_000)
        _ = raise(try second, home, b)
        home.expect(new(610), at: path, on: [a])
        home.expect(new(603), at: path, on: [b])
        home.household.part(a, b, false)
        home.expect(new(613), at: path, on: [a, b], within: 120_000)
        home.household.run(milliseconds: 60_000)
        home.expect(new(613), at: path, on: [a, b])
    }

    @Test func aSaveFromTheFutureIsLeftAloneAndTheProfileStillRelayed() throws {
        let (home, a, b) = try household()
        let future = #"{"version":"9.0","lives":1}"#
        home.household.save(future, to: path, on: b)
        home.household.run(milliseconds: 20_000)
        #expect(home.household.text(of: path, on: b) == future)
        #expect(state(home, b)?.state == "bad")
        #expect(state(home, b)?.reason?.contains("is of version 9.0, newer than the rules (1.0)") == true)
        home.household.save(old(150), to: path, on: a)
        home.household.run(milliseconds: 20_000)
        #expect(home.household.text(of: path, on: b) == future)
        // Somebody who meets only B gets what A wrote.
        home.household.kill(a)
        let c = try home.device("desktop")
        try home.pair(b, c)
        home.household.save(old(0), to: path, on: c)
        try home.restore(path, on: c)
        home.expect(old(150), at: path, on: [c])
        guard
            case .failure(.tooOld, _)? = answer(
                MigrateRequest(profile: "game", to: nil, backup: nil, dryRun: false), home, b)
        else {
            Issue.record("a save from the future was migrated")
            return
        }
        #expect(home.household.text(of: path, on: b) == future)
    }

    @Test func rulesOfAnEarlierVersionAreRefused() throws {
        let (home, a, b) = try household()
        _ = raise(try second, home, a)
        home.expect(new(600), at: path, on: [a])
        home.household.run(milliseconds: 10_000)
        for device in [a, b] {
            guard case .failure(.failed, let why)? = raise(try rules(1, []), home, device) else {
                Issue.record("older rules were taken on \(device.name)")
                continue
            }
            #expect(why.contains("older than those in force (2.0)"))
        }
        home.expect(new(600), at: path, on: [a])
    }

    @Test func rulesThatTheSaveCannotFollowChangeNothing() throws {
        let (home, a, _) = try household()
        let bad = try rules(2, [[.require(RulePattern(parsing: "/missing"), nil)]])
        guard case .failure(.failed, let why)? = raise(bad, home, a) else {
            Issue.record("rules were taken whose steps fail")
            return
        }
        #expect(why.contains("/missing"))
        #expect(home.household.text(of: path, on: a) == old(100))
        home.household.save(old(101), to: path, on: a)
        home.household.run(milliseconds: 20_000)
        #expect(state(home, a)?.state == "good")
    }

    @Test func aDeviceGoesBackAloneAndStillPlays() throws {
        let (home, a, b) = try household()
        let steps: [[MigrationStep]] = [[.rename(try RulePattern(parsing: "/hp"), to: "health")]]
        let rules = try rules(2, steps)
        func upcasted(_ coins: Int) -> String { #"{"version":"2.0","health":3,"coins":\#(coins),"sword":1}"# }
        _ = raise(rules, home, a)
        home.household.run(milliseconds: 5_000)
        _ = answer(MigrateRequest(profile: "game", to: nil, backup: nil, dryRun: false), home, b)
        home.expect(upcasted(100), at: path, on: [a, b])
        guard
            let dry = answer(MigrateRequest(profile: "game", to: "1.0", backup: nil, dryRun: true), home, b)?.message(
                MigrationSummary.self)
        else {
            Issue.record("no dry run")
            return
        }
        #expect(dry.isDryRun && dry.backup == nil)
        home.expect(upcasted(100), at: path, on: [b])
        guard
            case .response(is MigrationSummary)? = answer(
                MigrateRequest(profile: "game", to: "1.0", backup: nil, dryRun: false), home, b)
        else {
            Issue.record("not taken back: \(b.replies)")
            return
        }
        home.expect(old(100), at: path, on: [b])
        home.household.save(old(107), to: path, on: b)
        home.expect(upcasted(107), at: path, on: [a])
        home.household.save(upcasted(120), to: path, on: a)
        home.household.run(milliseconds: 60_000)
        home.expect(old(107), at: path, on: [b])
        for device in [a, b] {
            home.household.kill(device)
            try home.household.start(device)
        }
        home.household.run(milliseconds: 60_000)
        home.expect(old(107), at: path, on: [b])
        #expect(state(home, b)?.state == "behind")
        _ = answer(MigrateRequest(profile: "game", to: nil, backup: nil, dryRun: false), home, b)
        home.expect(upcasted(120), at: path, on: [a, b])
    }

    /// What was dropped has no way back by steps: the save from before is offered, and put there when asked for.
    @Test func whereStepsHaveNoWayBackTheBackupIsOffered() throws {
        let (home, a, b) = try household()
        _ = raise(
            try rules(2, [[.remove(RulePattern(parsing: "/sword")), .remove(RulePattern(parsing: "/hp"))]]),
            home,
            a
        )
        home.household.run(milliseconds: 10_000)
        let upcasted = #"{"version":"2.0","coins":100}"#
        home.expect(upcasted, at: path, on: [a])
        home.household.save(#"{"version":"2.0","coins":130}"#, to: path, on: a)
        home.household.run(milliseconds: 10_000)
        guard
            case .failure(.needsDecision, let why)? = answer(
                MigrateRequest(profile: "game", to: "1.0", backup: nil, dryRun: false), home, a),
            let name = why.split(separator: " ").last
        else {
            Issue.record("no backup was offered: \(a.replies)")
            return
        }
        #expect(why.contains("no inverse"))
        guard
            case .response(is MigrationSummary)? = answer(
                MigrateRequest(profile: "game", to: "1.0", backup: String(name), dryRun: false), home, a)
        else {
            Issue.record("\(name) was not put back: \(a.replies)")
            return
        }
        home.expect(old(100), at: path, on: [a])
        // What was played stays with the household, and what is played now adds to it.
        home.household.save(old(104), to: path, on: a)
        home.household.run(milliseconds: 10_000)
        _ = answer(MigrateRequest(profile: "game", to: nil, backup: nil, dryRun: false), home, b)
        home.expect(#"{"version":"2.0","coins":134}"#, at: path, on: [b])
    }

    @Test func aFileOfAnOldVersionIsTakenUpUpcast() throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, old(100), rules: try second, on: a)
        // Its game may be old: what it reads is not touched.
        #expect(state(home, a)?.state == "behind")
        try home.restore(path, on: b)
        home.household.run(milliseconds: 20_000)
        #expect(home.household.text(of: path, on: a) == old(100))
        #expect(home.household.text(of: path, on: b)?.contains(#""coins":600"#) == true)
        #expect(home.household.text(of: path, on: b)?.contains(#""version":"2.0""#) == true)
        home.household.save(old(105), to: path, on: a)
        _ = home.household.run(until: { home.household.text(of: path, on: b)?.contains(#""coins":605"#) == true })
        #expect(home.household.text(of: path, on: b)?.contains(#""coins":605"#) == true)
    }

    // MARK: What is no save

    @Test(arguments: ["", "{\"version\":\"1.0\",\"co", "garbage"])
    func aRestoreWritesOverWhatIsNoSave(broken: String) throws {
        let (home, a, b) = try household()
        home.household.save(old(150), to: path, on: a)
        home.household.run(milliseconds: 10_000)
        home.household.save(broken, to: path, on: a)
        home.household.run(milliseconds: 10_000)
        let reason = try #require(state(home, a)?.reason)
        #expect(reason.contains("hearth restore"), "\(reason)")
        #expect(home.household.text(of: path, on: a) == broken)
        #expect(home.household.text(of: path, on: b) == old(150), "nothing empty beats data")
        guard
            case .response(is ProfileAnswer)? = answer(RestoreBackupRequest(profile: "game", backup: "newest"), home, a)
        else {
            Issue.record("not restored: \(a.replies)")
            return
        }
        home.household.run(milliseconds: 20_000)
        home.expect(old(100), at: path, on: [a, b])
        #expect(state(home, a)?.state == "good")
        home.household.save(old(107), to: path, on: a)
        home.expect(old(107), at: path, on: [a, b])
    }

    @Test func aResetWritesOverWhatIsNoSave() throws {
        let (home, a, b) = try household()
        home.household.save("{", to: path, on: a)
        home.household.run(milliseconds: 10_000)
        _ = answer(ResetRequest(profile: "game", scope: nil), home, a)
        home.household.run(milliseconds: 20_000)
        for device in [a, b] {
            let text = home.household.text(of: path, on: device) ?? ""
            #expect(text.contains(#""coins":0"#) && text.contains(#""version":"1.0""#), "\(device.name): \(text)")
        }
        home.household.save(#"{"version":"1.0","coins":7}"#, to: path, on: a)
        home.household.run(milliseconds: 20_000)
        #expect(home.household.text(of: path, on: b)?.contains(#""coins":7"#) == true)
    }
}
