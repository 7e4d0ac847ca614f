import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Rules that are read and changed line by line, as the page does.
@Suite struct RulesTests {
    private let path = "/saves/player.json"
    private let start = #"{"coins":100,"level":3,"name":"Ada"}"#
    private let coins = RuleLine(place: "/coins", merge: "counter")
    private let level = RuleLine(place: "/level", merge: "max")

    private func together() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 61)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, start, rules: try home.rules([("/level", MergeRule(.max))]), on: a)
        try home.restore(path, on: b)
        home.expect(start, at: path, on: [b])
        return (home, a, b)
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> AgentReply {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return try #require(device.replies[id]?.last)
    }

    private func rules(_ home: Home, _ device: SimulatedDevice) throws -> RulesReport {
        try #require(try answer(RulesRequest(profile: "game"), home, device).message(RulesReport.self))
    }

    private func change(
        _ from: [RuleLine], _ to: [RuleLine], _ home: Home, _ device: SimulatedDevice, dryRun: Bool = false
    ) throws -> AgentReply {
        try answer(ChangeRulesRequest(profile: "game", from: from, to: to, dryRun: dryRun), home, device)
    }

    private func play(_ text: String, _ home: Home, _ device: SimulatedDevice) {
        home.household.save(text, to: path, on: device)
        home.household.run(milliseconds: 3_000)
    }

    @Test func aPreviewSaysWhatWouldMergeOtherwise_andChangesNothing() throws {
        let (home, a, _) = try together()
        let before = try rules(home, a)
        #expect(before.rules.map(\.rule) == [level] && before.rules.first?.places == 1 && before.others == 2)
        let far = RuleLine(place: "/lewel", merge: "latest")
        let preview = try #require(
            try change([level], [level, coins, far], home, a, dryRun: true).message(RulesReport.self))
        #expect(preview.rules.map(\.places) == [1, 1, 0] && preview.others == 1)
        #expect(preview.moves.map { "\($0.place) \($0.old ?? "") \($0.new ?? "")" } == ["/coins latest counter"])
        #expect(preview.rules.map { $0.finding?.contains("did you mean /level") } == [nil, nil, true])
        #expect(preview.changes == [])
        #expect(try rules(home, a) == before)
    }

    /// What a save suggests is in force nowhere before a player says so, and then it is.
    @Test func rulesAreGuessedFromTheSave() throws {
        let (home, a, b) = try together()
        let request = RulesRequest(profile: "game", guess: true)
        let report = try #require(try answer(request, home, b).message(RulesReport.self))
        let guesses = try #require(report.guesses)
        #expect(guesses.map(\.rule) == [coins])
        #expect(guesses.map(\.reason) == ["earned and spent on every machine add up"])
        #expect(report.rules.map(\.rule) == [level])
        #expect(try rules(home, b).guesses == nil)
        _ = try change([level], [level] + guesses.map(\.rule), home, b)
        home.household.run(milliseconds: 3_000)
        #expect(try rules(home, a).rules.map(\.rule) == [level, coins])
    }

    /// Rules of one machine take places out of step that were in step: no other machine says that all is well then.
    @Test func whatRulesTakeOutOfStepIsSaidElsewhere() throws {
        let (home, a, b) = try together()
        #expect(try home.profile(on: b).remark == nil)
        _ = try change([level], [level, RuleLine(place: "/name", merge: "local")], home, a)
        home.household.run(milliseconds: 3_000)
        #expect(try home.profile(on: b).remark == nil, "one place of which no rule was")
        let all = RuleLine(place: "/**", merge: "local")
        _ = try change(try rules(home, a).rules.map(\.rule), [all], home, a)
        home.household.run(milliseconds: 3_000)
        let remark = try #require(try home.profile(on: b).remark)
        let words = "keep /coins, /level on each machine for itself, so they are in step no more"
        #expect(remark.contains(words), "\(remark)")
        #expect(try home.profile(on: a).remark == nil, "its player knows")
        _ = try change([all], [level], home, b)
        home.household.run(milliseconds: 3_000)
        #expect(try home.profile(on: b).remark == nil && home.profile(on: a).remark == nil)
        play(#"{"coins":100,"level":9,"name":"Ada"}"#, home, a)
        home.expect(#"{"coins":100,"level":9,"name":"Ada"}"#, at: path, on: [b])
    }

    /// Other rules may take the save apart in another way: places above and below are meant as well.
    @Test(arguments: [
        (["/items[id]/count": MergeRule(.counter)], RuleLine(place: "/items", merge: "local"), "/items"),
        (["/items[id]/count": MergeRule(.counter)], RuleLine(place: "/**", merge: "local"), "/coins, /items"),
        (["": MergeRule(.choice)], RuleLine(place: "/**", merge: "local"), "/coins, /items"),
    ])
    func whatIsTakenApartInAnotherWayIsSaidAsWell(
        _ list: [String: MergeRule], _ rule: RuleLine, _ places: String
    ) throws {
        let home = Home(seed: 62)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let save = #"{"coins":100,"items":[{"id":"axe","count":1}]}"#
        try home.add(path, save, rules: try home.rules(list.map { ($0.key, $0.value) }), on: a)
        try home.restore(path, on: b)
        home.expect(save, at: path, on: [b])
        _ = try change(try rules(home, a).rules.map(\.rule), [rule], home, a)
        home.household.run(milliseconds: 3_000)
        let remark = try home.profile(on: b).remark ?? ""
        #expect(remark.contains("keep \(places) on each machine for itself"), "\(remark)")
    }

    /// Coins that both earn while they are apart add up from then on, on every machine.
    @Test func aRuleThatIsChangedCountsInTheWholeHousehold() throws {
        let (home, a, b) = try together()
        guard case .response(is RulesReport) = try change([level], [level, coins], home, a) else {
            throw Home.Failure("not changed")
        }
        home.household.run(milliseconds: 3_000)
        #expect(try rules(home, b).rules.map(\.rule) == [level, coins])
        home.household.part(a, b)
        play(#"{"coins":130,"level":3,"name":"Ada"}"#, home, a)
        play(#"{"coins":120,"level":5,"name":"Ada"}"#, home, b)
        home.household.part(a, b, false)
        home.expect(#"{"coins":150,"level":5,"name":"Ada"}"#, at: path, on: [a, b])
    }

    /// A shorter list shows at once: the preview names the place, and nothing is lost where the limit goes again.
    /// Of two rules for one place that were made apart one is in force, and the other lines of both. Both machines have
    /// that in their history, also the one whose own rule is gone; and an undo without a number takes back play, not rules.
    @Test func otherRulesAreAStepEverywhere() throws {
        let (home, a, b) = try together()
        play(#"{"coins":110,"level":3,"name":"Ada"}"#, home, a)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        _ = try change([level], [level, coins], home, a)
        home.household.run(milliseconds: 2_000)
        let (name, most) = (RuleLine(place: "/name", merge: "choice"), RuleLine(place: "/coins", merge: "max"))
        _ = try change([level], [level, most, name], home, b)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        let inForce = try rules(home, a).rules.map(\.rule)
        #expect(try rules(home, b).rules.map(\.rule) == inForce && inForce == [level, most, name])
        for device in [a, b] {
            let request = HistoryRequest(profile: "game", pointer: nil, limit: 50)
            let steps = try #require(try answer(request, home, device).message(HistoryList.self)).history
            let last = try #require(steps.first { $0.origin == "rules" })
            #expect(last.devices == ["deck"] && last.changes.isEmpty, "\(steps.map(\.origin)) on \(device.name)")
        }
        // The machine whose rules lost says so, and the other one has nothing to say.
        #expect(try home.profile(on: a).remark?.contains("not in force any more: /coins: counter;") == true)
        #expect(try home.profile(on: b).remark == nil)
        let undo = PreviewRequest(UndoRequest(profile: "game", step: nil, force: false))
        let preview = try #require(try answer(undo, home, a).message(PreviewReport.self))
        #expect(preview.changes.map(\.place) == ["/coins"])
        // Once it is in force again, there is nothing to say.
        _ = try change(inForce, [level, coins, name], home, b)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: a).remark == nil)
    }

    /// What each machine changed is in force on both, and nobody is told of a loss, since there is none.
    @Test func rulesThatWereChangedApartAreBothInForce() throws {
        let (home, a, b) = try together()
        let name = RuleLine(place: "/name", merge: "choice")
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        _ = try change([level], [level, coins], home, a)
        play(#"{"coins":130,"level":3,"name":"Ada"}"#, home, a)
        _ = try change([level], [level, name], home, b)
        play(#"{"coins":105,"level":4,"name":"Ada"}"#, home, b)
        home.household.part(a, b, false)
        home.expect(#"{"coins":135,"level":4,"name":"Ada"}"#, at: path, on: [a, b])
        for device in [a, b] {
            #expect(try Set(rules(home, device).rules.map(\.rule)) == [level, coins, name])
            #expect(try home.profile(on: device).remark == nil)
        }
        play(#"{"coins":125,"level":4,"name":"Ada"}"#, home, b)
        home.expect(#"{"coins":125,"level":4,"name":"Ada"}"#, at: path, on: [a, b])
    }

    /// A rule goes and comes back, and a machine that was away played meanwhile. What it played cannot be told from what was
    /// counted before: it does not count twice, and the machine says so and has it in a backup.
    @Test func aCounterThatComesBackSaysWhatDoesNotCount() throws {
        let (home, a, b) = try together()
        _ = try change([level], [level, coins], home, a)
        play(#"{"coins":150,"level":3,"name":"Ada"}"#, home, a)
        _ = try change([level, coins], [level], home, a)
        home.household.run(milliseconds: 3_000)
        home.expect(#"{"coins":150,"level":3,"name":"Ada"}"#, at: path, on: [a, b])
        #expect(try rules(home, b).rules.map(\.rule) == [level])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        play(#"{"coins":170,"level":3,"name":"Ada"}"#, home, b)
        _ = try change([level], [level, coins], home, a)
        home.household.part(a, b, false)
        home.expect(#"{"coins":150,"level":3,"name":"Ada"}"#, at: path, on: [a, b])
        #expect(try home.profile(on: b).remark?.contains("changed the rule of /coins") == true)
        #expect(try home.profile(on: a).remark == nil)
        let backups = BackupsRequest(profile: "game")
        let list = try #require(try answer(backups, home, b).message(BackupList.self))
        #expect(!list.backups.isEmpty)
    }

    @Test func aPreviewNamesTheValuesThatWouldChange() throws {
        let home = Home(seed: 62)
        let a = try home.device("laptop")
        let union = RuleLine(place: "/seen", merge: "union")
        let short = RuleLine(place: "/seen", merge: "union", options: #"{"limit":1}"#)
        try home.add(path, #"{"seen":[1,2,3]}"#, rules: try home.rules([("/seen", MergeRule(.union))]), on: a)
        home.household.run(milliseconds: 3_000)
        let preview = try #require(try change([union], [short], home, a, dryRun: true).message(RulesReport.self))
        #expect(preview.moves.map(\.new) == [#"union {"limit":1}"#])
        #expect(preview.changes.map(\.place) == ["/seen"] && preview.changes.first?.old == "[1,2,3]")
        _ = try change([union], [short], home, a)
        _ = home.household.run(until: { home.household.text(of: path, on: a) != #"{"seen":[1,2,3]}"# })
        _ = try change([short], [union], home, a)
        home.expect(#"{"seen":[1,2,3]}"#, at: path, on: [a])
    }

    @Test func whatCannotBeARuleIsSaidByItsPlace() throws {
        let (home, a, _) = try together()
        for (line, words) in [
            (RuleLine(place: "coins", merge: "max"), #"the rule of "coins": "#),
            (RuleLine(place: "/coins", merge: "mix"), #"the rule of "/coins": the rule "mix" is unknown"#),
            (
                RuleLine(place: "/coins", merge: "max", options: "as: date"),
                #"the rule of "/coins": the options are no JSON"#
            ),
            (RuleLine(place: "/coins", merge: "max", options: #"{"merge":"min"}"#), #""merge" is no option"#),
            (RuleLine(place: "/coins", merge: "flag", options: #"{"limit":3}"#), #"the rule of "/coins": "#),
            (level, "the rule of \"/level\": "),
        ] {
            guard case .failure(.usage, let message) = try change([level], [level, line], home, a) else {
                throw Home.Failure("\(line) was taken")
            }
            #expect(message.contains(words), "\(message)")
        }
        #expect(try rules(home, a).rules.map(\.rule) == [level])
    }

    /// Two people at two machines: the second one has seen other rules than those in force.
    @Test func rulesThatWereChangedMeanwhileStay() throws {
        let (home, a, b) = try together()
        _ = try change([level], [level, coins], home, a)
        home.household.run(milliseconds: 3_000)
        guard case .failure(.failed, let message) = try change([level], [], home, b) else {
            throw Home.Failure("changed")
        }
        #expect(message.contains("were changed meanwhile"))
        #expect(try rules(home, b).rules.map(\.rule) == [level, coins])
    }

    /// The versions, resets and migrations of a rule file are not what is changed here.
    @Test func whatElseTheRuleFileSaysStays() throws {
        let home = Home(seed: 63)
        let a = try home.device("laptop")
        let rules = try RuleSet(
            [.init(RulePattern(parsing: "/level"), MergeRule(.max))], profile: "RPG",
            resets: [Reset("progress", [RulePattern(parsing: "/level")])], resetAt: "/again", source: "# mine\n")
        try home.add(path, #"{"level":3,"again":""}"#, rules: rules, on: a)
        #expect(try self.rules(home, a).hasText)
        _ = try change([level], [], home, a)
        #expect(try self.rules(home, a).rules == [] && !(try self.rules(home, a).hasText))
        guard
            case .response(is PreviewReport) = try answer(
                PreviewRequest(ResetRequest(profile: "game", scope: "progress")), home, a)
        else { throw Home.Failure("the reset is gone") }
    }
}
