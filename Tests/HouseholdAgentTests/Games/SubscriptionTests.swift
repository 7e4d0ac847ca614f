import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Games that hold their profile open, in virtual time.
@Suite struct SubscriptionTests {
    private let path = "/saves/player.json"
    private let rules: RuleSet

    init() throws { rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter))]) }

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 11)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, purse(100), rules: rules, on: a)
        try home.restore(path, on: b)
        home.expect(purse(100), at: path, on: [b])
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    private func subscribe(
        _ home: Home, _ device: SimulatedDevice, name: String = "game", path: String? = nil,
        onNameConflict answer: SubscribeRequest.NameConflictAnswer = .ask, changesRules: Bool = false,
        rules: RuleSet? = nil
    ) throws -> (RequestID, SubscriptionReport) {
        let id = home.household.ask(
            SubscribeRequest(
                path: path ?? self.path, name: name, game: "rpg", rules: rules ?? self.rules,
                changesRules: changesRules, onNameConflict: answer), on: device)
        guard case .subscribed(let report)? = device.replies[id]?.first?.message(SubscriptionEvent.self) else {
            throw Home.Failure("\(device.replies[id] ?? [])")
        }
        return (id, report)
    }

    private func pull(_ home: Home, _ subscription: RequestID, on device: SimulatedDevice) throws -> SubscriptionReport
    {
        let id = home.household.ask(PullRequest(subscription: subscription, hurry: false), on: device)
        _ = home.household.run(until: { device.replies[id] != nil }, within: 1_600)
        guard let report = device.replies[id]?.last?.message(SubscriptionReport.self) else {
            throw Home.Failure("\(device.replies[id] ?? [])")
        }
        return report
    }

    private func changes(_ id: RequestID, on device: SimulatedDevice) -> Int {
        events(id, on: device).count { if case .changed = $0 { true } else { false } }
    }

    private func statusReports(_ id: RequestID, on device: SimulatedDevice) -> [SubscriptionReport] {
        events(id, on: device).compactMap { if case .status(let report) = $0 { report } else { nil } }
    }

    private func events(_ id: RequestID, on device: SimulatedDevice) -> [SubscriptionEvent] {
        (device.replies[id] ?? []).compactMap { $0.message(SubscriptionEvent.self) }
    }

    /// A game that only shows when it was in step last, or that sync is paused, need not ask for it.
    @Test func whatAGameOnlyShowsComesByItself() throws {
        let (home, a, b) = try household()
        let (held, report) = try subscribe(home, a)
        let before = try #require(report.lastSync)
        home.household.run(milliseconds: 60_000)
        #expect(statusReports(held, on: a) == [])
        a.files.saveByRename(Array(purse(130).utf8), at: path)
        let pulled = try pull(home, held, on: a)
        #expect(pulled.lastSync == before)
        home.household.run(milliseconds: 5_000)
        let synced = try #require(statusReports(held, on: a).last)
        #expect(try #require(synced.lastSync) > before && synced.number > pulled.number && changes(held, on: a) == 0)
        let told = statusReports(held, on: a).count
        _ = home.household.ask(PauseRequest(profile: "game"), on: a)
        #expect(statusReports(held, on: a).dropFirst(told).map(\.isPaused) == [true])
        _ = home.household.ask(ResumeRequest(profile: "game"), on: a)
        #expect(statusReports(held, on: a).last?.isPaused == false)
        _ = b
    }

    /// The prompt that a player leaves open shows how far the other device is by now.
    @Test func anOfferIsRenewedWhileItIsOpen() throws {
        let (home, a, b) = try household()
        let other = "/saves/other.json"
        try home.add(other, purse(7), rules: rules, name: "other", on: b)
        home.household.run(milliseconds: 5_000)
        let (held, report) = try subscribe(home, a, name: "other", path: "/new/other.json")
        #expect(report.offer?.fields.map(\.value) == ["7"])
        home.household.save(purse(9), to: other, on: b)
        home.household.run(milliseconds: 5_000)
        #expect(statusReports(held, on: a).last?.offer?.fields.map(\.value) == ["9"])
        #expect(statusReports(held, on: a).last?.profile == nil)
    }

    @Test func nothingIsWrittenUntilTheGameAsks_andItIsToldOnce() throws {
        let (home, a, b) = try household()
        let (held, report) = try subscribe(home, a)
        #expect(report.profile != nil && report.offer == nil && report.device == "laptop")
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 60_000)
        home.household.save(purse(600), to: path, on: b)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == purse(100))
        #expect(changes(held, on: a) == 1)
        let pulled = try pull(home, held, on: a)
        #expect(home.household.text(of: path, on: a) == purse(600))
        #expect(pulled.steps.map(\.origin) == ["merge", "merge"])
        #expect(pulled.steps.allSatisfy { $0.devices == ["deck"] && $0.changes.map(\.place) == ["/coins"] })
        // And again, when there is something again.
        #expect(try pull(home, held, on: a).steps == [])
        home.household.save(purse(700), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        #expect(changes(held, on: a) == 2)
    }

    /// What the game saved and what came in meet in one answer: no base is guessed.
    @Test func aSaveAndAMergeMeet() throws {
        let (home, a, b) = try household()
        let (held, _) = try subscribe(home, a)
        for round in 1...5 {
            home.household.save(purse(100 + 40 * round - 10), to: path, on: b)
            home.household.run(milliseconds: 3_000)
            // It earns 10 and asks at once; the agent has not looked at the file yet.
            a.files.saveByRename(Array(purse(100 + 40 * (round - 1) + 10).utf8), at: path)
            _ = try pull(home, held, on: a)
            #expect(home.household.text(of: path, on: a) == purse(100 + 40 * round))
            home.expect(purse(100 + 40 * round), at: path, on: [b])
        }
    }

    /// A save whose value happens to look like one of another base: what the game says that it has read decides.
    @Test(arguments: [false, true]) func theBaseIsWhatTheGameHasRead(hasRead: Bool) throws {
        let (home, a, b) = try household()
        let (held, _) = try subscribe(home, a)
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 3_000)
        _ = try pull(home, held, on: a)
        if hasRead {
            let acked = home.household.ask(AckRequest(subscription: held), on: a)
            guard case .response(is Done)? = a.replies[acked]?.last else {
                throw Home.Failure("\(a.replies[acked] ?? [])")
            }
        }
        // It has read 500 and spends nearly all of it; or it has not, and earns ten.
        home.household.save(purse(110), to: path, on: a)
        home.expect(purse(hasRead ? 110 : 510), at: path, on: [b])
        _ = try pull(home, held, on: a)
        #expect(home.household.text(of: path, on: a) == purse(hasRead ? 110 : 510))
    }

    @Test func aGameThatGoesAwayGetsWhatItDidNotAskFor() throws {
        let (home, a, b) = try household()
        let (held, _) = try subscribe(home, a)
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 10_000)
        home.household.abandon(held, on: a)
        home.expect(purse(500), at: path, on: [a], within: 1_000)
        let late = home.household.ask(PullRequest(subscription: held, hurry: false), on: a)
        guard case .failure? = a.replies[late]?.last else { throw Home.Failure("it is still known") }
        let again = home.household.ask(AckRequest(subscription: held), on: a)
        guard case .failure? = a.replies[again]?.last else { throw Home.Failure("it is still known") }
    }

    /// The agent was killed with a save of the game that it had not seen.
    @Test func anAgentThatComesBack() throws {
        let (home, a, b) = try household()
        let (held, _) = try subscribe(home, a)
        home.household.save(purse(500), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        _ = try pull(home, held, on: a)
        home.household.kill(a)
        a.files.saveByRename(Array(purse(520).utf8), at: path)
        home.household.run(milliseconds: 5_000)
        try home.household.start(a)
        let (again, _) = try subscribe(home, a)
        _ = try pull(home, again, on: a)
        home.expect(purse(520), at: path, on: [b])
        #expect(home.household.text(of: path, on: a) == purse(520))
    }

    // MARK: Whose it is

    @Test func withNothingThereItWaits() throws {
        let home = Home(seed: 3)
        let a = try home.device("laptop")
        let (held, report) = try subscribe(home, a)
        #expect(report.profile == nil && report.offer == nil)
        #expect(try pull(home, held, on: a).profile == nil)
        // The first save is held by asking again.
        home.household.save(purse(5), to: path, on: a)
        home.household.abandon(held, on: a)
        let (_, second) = try subscribe(home, a)
        #expect(second.profile != nil)
        let status = home.household.ask(StatusRequest(), on: a)
        guard let all = a.replies[status]?.last?.message(StatusReport.self) else { throw Home.Failure("no status") }
        #expect(all.profiles.map(\.name) == ["game"] && all.profiles.first?.held == "rpg")
    }

    @Test func aProfileOfTheHouseholdIsOffered_andNothingIsTaken() throws {
        let (home, a, b) = try household()
        let other = "/saves/new.json"
        let gone = home.household.ask(RemoveRequest(profile: "game"), on: b)
        guard case .response(is ForgottenProfile)? = b.replies[gone]?.last else { throw Home.Failure("not removed") }
        let (held, report) = try subscribe(home, b, path: other)
        #expect(report.profile == nil && report.offer?.profile == "game")
        #expect(report.offer?.fields.map { "\($0.place) \($0.value)" } == ["/coins 100"])
        // Also with progress of its own it stays apart until the player says.
        home.household.abandon(held, on: b)
        home.household.save(purse(7), to: other, on: b)
        home.household.run(milliseconds: 60_000)
        let (second, again) = try subscribe(home, b, path: other)
        #expect(again.profile == nil && again.offer != nil)
        #expect(home.household.text(of: other, on: b) == purse(7))
        home.household.abandon(second, on: b)
        let (third, joined) = try subscribe(home, b, path: other, onNameConflict: .join)
        #expect(joined.profile != nil && joined.offer == nil)
        _ = try pull(home, third, on: b)
        #expect(home.household.text(of: other, on: b) == purse(100))
        #expect(home.household.text(of: path, on: a) == purse(100))
    }

    @Test func apartItBecomesAProfileOfItsOwn() throws {
        let (home, _, b) = try household()
        let other = "/saves/new.json"
        _ = home.household.ask(RemoveRequest(profile: "game"), on: b)
        home.household.save(purse(7), to: other, on: b)
        let (held, report) = try subscribe(home, b, path: other, onNameConflict: .apart)
        #expect(report.profile != nil && report.offer == nil)
        #expect(try pull(home, held, on: b).offer == nil)
        #expect(home.household.text(of: other, on: b) == purse(7))
        home.household.abandon(held, on: b)
        // It is known by its file from now on.
        #expect(try subscribe(home, b, path: other).1.offer == nil)
    }

    /// A profile that comes to be known while the game runs.
    @Test func anOfferThatComesLaterIsNews() throws {
        let home = Home(seed: 5)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, purse(100), rules: rules, on: a)
        let (held, _) = try subscribe(home, b)
        try home.pair(a, b)
        #expect(home.household.run(until: { changes(held, on: b) > 0 }))
        _ = try pull(home, held, on: b)
        #expect(try pull(home, held, on: b).offer?.profile == "game")
    }

    /// Both had it before they knew of one another.
    @Test(arguments: [SubscribeRequest.NameConflictAnswer.join, .apart]) func twoThatWereKept(
        answer: SubscribeRequest.NameConflictAnswer
    ) throws {
        let home = Home(seed: 9)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        for (device, coins) in [(a, 100), (b, 40)] {
            home.household.save(purse(coins), to: path, on: device)
            home.household.abandon(try subscribe(home, device).0, on: device)
        }
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        let (held, report) = try subscribe(home, b)
        #expect(report.profile != nil && report.offer != nil)
        home.household.abandon(held, on: b)
        let (again, answered) = try subscribe(home, b, onNameConflict: answer)
        #expect(answered.profile != nil && answered.offer == nil)
        _ = try pull(home, again, on: b)
        home.household.run(milliseconds: 5_000)
        let (other, seen) = try subscribe(home, a)
        #expect(seen.offer == nil)
        _ = try pull(home, other, on: a)
        #expect(home.household.text(of: path, on: a) == purse(100))
        #expect(home.household.text(of: path, on: b) == purse(answer == .join ? 100 : 40))
    }

    /// The game's folder was deleted, and the game put its save elsewhere.
    @Test func aProfileWhoseFileIsGoneIsOffered() throws {
        let (home, a, b) = try household()
        a.files.delete(path)
        // The agent notices at its next look, and would write it again ten seconds later.
        #expect(
            home.household.run(
                until: {
                    let id = home.household.ask(StatusRequest(), on: a)
                    guard let all = a.replies[id]?.last?.message(StatusReport.self) else { return false }
                    return all.profiles.first?.state == "missing"
                }, within: 40_000))
        let other = "/saves/new.json"
        let (held, report) = try subscribe(home, a, path: other)
        #expect(report.profile == nil && report.offer?.profile == "game")
        home.household.abandon(held, on: a)
        let (again, joined) = try subscribe(home, a, path: other, onNameConflict: .join)
        #expect(joined.profile != nil && joined.offer == nil)
        _ = try pull(home, again, on: a)
        #expect(home.household.text(of: other, on: a) == purse(100))
        home.household.save(purse(90), to: path, on: b)
        #expect(home.household.run(until: { changes(again, on: a) > 0 }))
    }

    /// Each of two games on one file hears of what the other did.
    @Test func twoGamesHoldOneFile() throws {
        let (home, a, b) = try household()
        let (one, two) = (try subscribe(home, a).0, try subscribe(home, a).0)
        home.household.save(purse(110), to: path, on: a)
        home.household.run(milliseconds: 1_000)
        #expect(changes(one, on: a) == 1 && changes(two, on: a) == 1)
        for id in [one, two] { _ = try pull(home, id, on: a) }
        home.household.run(milliseconds: 1_000)
        #expect(changes(one, on: a) == 1 && changes(two, on: a) == 1)
        home.household.save(purse(150), to: path, on: b)
        #expect(home.household.run(until: { changes(one, on: a) == 2 && changes(two, on: a) == 2 }))
        _ = try pull(home, one, on: a)
        home.expect(purse(150), at: path, on: [a])
        _ = try pull(home, two, on: a)
        home.household.run(milliseconds: 1_000)
        // The second learned of it with the first one's; nothing goes round in circles.
        #expect(changes(one, on: a) <= 3 && changes(two, on: a) <= 3)
        let before = (changes(one, on: a), changes(two, on: a))
        for id in [one, two] { _ = try pull(home, id, on: a) }
        home.household.run(milliseconds: 60_000)
        #expect(before == (changes(one, on: a), changes(two, on: a)))
    }

    // MARK: Rules

    @Test func laterRulesCount_earlierOnesDoNot() throws {
        let home = Home(seed: 2)
        let a = try home.device("laptop")
        home.household.save(#"{"v":"1","coins":5}"#, to: path, on: a)
        let entry = RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter))
        let first = try RuleSet([entry], version: "1", versionAt: "/v")
        let second = try RuleSet(
            [entry], version: "2", versionAt: "/v", migrations: [Migration(from: "1", to: "2", steps: [])])
        for rules in [first, second] {
            let (held, report) = try subscribe(home, a, rules: rules)
            #expect(report.rulesTrouble == nil)
            home.household.abandon(held, on: a)
        }
        #expect(try subscribe(home, a, rules: first).1.rulesTrouble?.contains("update the game") == true)
    }

    /// Two builds of one version must not take turns.
    @Test func otherRulesOfOneVersionCountWhereTheGameSaysSo() throws {
        let (home, a, _) = try household()
        let other = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.max))])
        let (held, report) = try subscribe(home, a, rules: other)
        #expect(report.rulesTrouble != nil)
        home.household.abandon(held, on: a)
        #expect(try subscribe(home, a, changesRules: true, rules: other).1.rulesTrouble == nil)
    }

    @Test func pausedItIsLeftAlone() throws {
        let (home, a, b) = try household()
        let (held, _) = try subscribe(home, a)
        _ = home.household.ask(PauseRequest(profile: "game"), on: a)
        home.household.save(purse(500), to: path, on: b)
        home.household.save(purse(110), to: path, on: a)
        home.household.run(milliseconds: 60_000)
        #expect(changes(held, on: a) == 0)
        #expect(try pull(home, held, on: a).isPaused)
        #expect(home.household.text(of: path, on: a) == purse(110))
        _ = home.household.ask(ResumeRequest(profile: "game"), on: a)
        #expect(home.household.run(until: { changes(held, on: a) > 0 }))
        _ = try pull(home, held, on: a)
        #expect(home.household.text(of: path, on: a) == purse(510))
    }
}
