import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// History, undo, accept and summaries between whole devices, over the wire and through their records.
@Suite struct HistoryTests {
    private let path = "/saves/player.json"
    private let start = #"{"coins":300,"level":4,"name":"Ada","themes":["day"]}"#

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 11)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([
            ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/themes", MergeRule(.union)),
        ])
        try home.add(path, start, rules: rules, on: a)
        try home.restore(path, on: b)
        home.expect(start, at: path, on: [b])
        return (home, a, b)
    }

    private func history(
        _ home: Home, _ device: SimulatedDevice, _ pointer: String? = nil, limit: Int = 20
    ) throws -> [HistoryReport] {
        let reply = try home.reply(to: HistoryRequest(profile: "game", pointer: pointer, limit: limit), on: device)
        guard let steps = reply.message(HistoryList.self)?.history else { throw Home.Failure("no history: \(reply)") }
        return steps
    }

    private func preview(_ act: some PreviewableRequest, _ home: Home, _ device: SimulatedDevice) throws
        -> PreviewReport
    {
        let reply = try home.reply(to: PreviewRequest(act), on: device)
        guard let report = reply.message(PreviewReport.self) else { throw Home.Failure("no preview: \(reply)") }
        return report
    }

    private func done(_ act: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws {
        let reply = try home.reply(to: act, on: device)
        guard case .response(is ProfileAnswer) = reply else { throw Home.Failure("not done: \(reply)") }
    }

    private func refusal(_ act: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> String {
        guard case .failure(_, let why) = try home.reply(to: act, on: device) else { throw Home.Failure("it was done") }
        return why
    }

    private func words(_ steps: [HistoryReport]) -> [String] {
        steps.map { step in
            let changes = step.changes.map { "\($0.place) \($0.old ?? "–") → \($0.new ?? "–")" }
            return
                "\(step.number) \(step.origin) \(step.devices.joined(separator: "+")): "
                + "\(changes.joined(separator: ", "))"
        }
    }

    private func text(_ coins: Int, _ level: Int, _ name: String = "Ada") -> String {
        start.replacing("300", with: "\(coins)").replacing("4,", with: "\(level),").replacing("Ada", with: name)
    }

    /// A place that a save lowered and its rule kept is named with the step, also after a restart.
    @Test func whatTheGameLoweredIsNamedWithItsStep() throws {
        let (home, a, _) = try household()
        let saved = #"{"coins":320,"level":3,"name":"Bo","themes":["day","night","dusk"]}"#
        home.household.save(saved, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a) == saved.replacing("3,\"name", with: "4,\"name"))
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        let steps = try history(home, a)
        #expect(steps.map(\.lowered) == [["/level from 4 to 3"], nil], "\(steps)")
        #expect(steps.allSatisfy { $0.moreLowered == nil })
        #expect(try history(home, a, "/level").map(\.number) == steps.map(\.number), "also of that place alone")
        #expect(try history(home, a, "/coins").map(\.lowered) == [nil, nil])
    }

    @Test func eachDeviceTellsWhatHappenedAndWhoDidIt() throws {
        let (home, a, b) = try household()
        home.household.save(text(480, 5), to: path, on: b)
        home.expect(text(480, 5), at: path, on: [a])
        let all = ["/coins – → 300", "/level – → 4", "/name – → \"Ada\"", "/themes – → [\"day\"]"].joined(
            separator: ", "
        )
        #expect(
            try words(history(home, a)) == [
                "2 merge deck: /coins 300 → 480, /level 4 → 5", "1 adopt laptop: \(all)",
            ])
        #expect(
            try words(history(home, b)) == [
                "2 save deck: /coins 300 → 480, /level 4 → 5", "1 adopt laptop: \(all)",
            ])
        #expect(
            try words(history(home, a, "/level")) == ["2 merge deck: /level 4 → 5", "1 adopt laptop: /level – → 4"])
        #expect(try history(home, a, "/level").map(\.more) == [1, 3])
        #expect(try history(home, a, "/name").count == 1 && history(home, a, "/nothing").isEmpty)
        #expect(try history(home, a, limit: 1).count == 1)
        for limit in [0, -1, 1_001, .max] {
            #expect(
                try refusal(HistoryRequest(profile: "game", pointer: nil, limit: limit), home, a).contains("1 to 1000"))
        }
        #expect(try refusal(HistoryRequest(profile: "game", pointer: "coins", limit: 1), home, a).contains("/"))
    }

    /// What is taken back on one device is taken back on both; what was played apart meanwhile stays; and an undo is
    /// undone like any other step. All of it also over a restart.
    @Test(arguments: [true, false]) func anUndoReachesBothAndIsUndone(restarts: Bool) throws {
        let (home, a, b) = try household()
        home.household.save(text(480, 5, "Bo"), to: path, on: b)
        home.expect(text(480, 5, "Bo"), at: path, on: [a])
        home.expect(text(480, 5, "Bo"), at: path, on: [b])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        // Apart: the deck renames itself, which the laptop cannot know of when it takes the merge back.
        home.household.save(text(480, 5, "Cy"), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        if restarts {
            home.household.kill(a)
            try home.household.start(a)
            home.household.run(milliseconds: 1_000)
        }
        // Here the level has moved on: that stays.
        home.household.save(text(480, 7, "Bo"), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        let plan = try preview(UndoRequest(profile: "game", step: 2, force: false), home, a)
        #expect(
            plan.changes.map { "\($0.place) \($0.old ?? "") \($0.new ?? "")" } == [
                "/coins 480 300", "/name \"Bo\" \"Ada\"",
            ]
        )
        #expect(plan.movedOn == 1 && plan.step == 2)
        #expect(home.household.text(of: path, on: a) == text(480, 7, "Bo"), "a preview does nothing")
        try done(UndoRequest(profile: "game", step: 2, force: false), home, a)
        home.expect(text(300, 7), at: path, on: [a])
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        // The undo is the later write of the name.
        home.expect(text(300, 7), at: path, on: [a, b])
        let last = try history(home, a)[0]
        #expect(last.origin == "undo" && last.devices == ["laptop"])
        #expect(try history(home, b)[0].origin == "merge")
        // Without a number the newest is meant: the undo itself.
        #expect(try preview(UndoRequest(profile: "game", step: nil, force: false), home, a).step == last.number)
        try done(UndoRequest(profile: "game", step: nil, force: false), home, a)
        home.expect(text(480, 7, "Bo"), at: path, on: [a, b])
    }

    @Test func whatWasPlayedApartElsewhereSurvivesAnUndo() throws {
        let (home, a, b) = try household()
        home.household.save(text(480, 4), to: path, on: b)
        home.expect(text(480, 4), at: path, on: [a])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(text(480, 9, "Cy"), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        // The merge, by its number: without one nothing of the other device's is meant.
        try done(UndoRequest(profile: "game", step: history(home, a)[0].number, force: false), home, a)
        home.household.part(a, b, false)
        home.expect(text(300, 9, "Cy"), at: path, on: [a, b])
        // With new play on top: an undo is no reset, counting goes on.
        home.household.save(text(310, 9, "Cy"), to: path, on: b)
        home.expect(text(310, 9, "Cy"), at: path, on: [a, b])
    }

    /// Without a number this device's own newest act is meant, whatever came in from elsewhere since.
    @Test func withoutANumberTheNewestOfThisDevice() throws {
        let (home, a, b) = try household()
        // The deck has nothing of its own yet: the profile came to it.
        for device in [a, b] {
            let why = try refusal(UndoRequest(profile: "game", step: nil, force: false), home, device)
            #expect(why.contains("nothing was done to game on this device"), "\(why)")
        }
        home.household.save(text(300, 5), to: path, on: a)
        home.expect(text(300, 5), at: path, on: [a])
        home.household.run(milliseconds: 10_000)
        let own = try #require(history(home, a).first { $0.origin == "save" }).number
        home.household.save(text(480, 5, "Bo"), to: path, on: b)
        home.household.run(milliseconds: 10_000)
        try done(ResetRequest(profile: "game", scope: nil), home, b)
        home.household.run(milliseconds: 10_000)
        #expect(try history(home, a)[0].origin == "reset" && history(home, a)[0].number > own)
        // The deck's newest is its reset; the laptop's is its save.
        #expect(
            try preview(UndoRequest(profile: "game", step: nil, force: false), home, b).step
                == history(home, b)[0].number)
        #expect(
            try refusal(UndoRequest(profile: "game", step: nil, force: false), home, a).contains("step \(own) of game"))
        #expect(try preview(UndoRequest(profile: "game", step: nil, force: true), home, a).step == own)
    }

    @Test func forceTakesBackWhatMovedOn() throws {
        let (home, a, b) = try household()
        home.household.save(text(300, 5), to: path, on: a)
        home.household.run(milliseconds: 3_000)
        home.household.save(text(300, 6), to: path, on: a)
        home.household.run(milliseconds: 3_000)
        #expect(try refusal(UndoRequest(profile: "game", step: 2, force: false), home, a).contains("--force"))
        try done(UndoRequest(profile: "game", step: 2, force: true), home, a)
        home.expect(text(300, 4), at: path, on: [a])
        home.expect(text(300, 4), at: path, on: [b])
    }

    /// Nothing empty beats data: there is no way back to before the beginning.
    @Test func whereASaveBeganIsNotTakenBack() throws {
        let (home, a, b) = try household()
        for device in [a, b] {
            for force in [false, true] {
                let why = try refusal(UndoRequest(profile: "game", step: 1, force: force), home, device)
                #expect(why.contains("step 1 of game") && why.contains("nothing would be left"), "\(why)")
            }
        }
        for step in [0, -1, 2, .max, .min] {
            #expect(
                try refusal(UndoRequest(profile: "game", step: step, force: false), home, a).contains("hearth history"))
        }
        home.expect(start, at: path, on: [a])
    }

    /// More than a step holds: refused, with the backup from before it.
    @Test func aStepTooLargeNamesTheBackup() throws {
        let (home, a, _) = try household()
        let many = (0..<700).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        home.household.save(String(start.dropLast()) + ",\(many)}", to: path, on: a)
        home.household.run(milliseconds: 5_000)
        let step = try history(home, a)[0]
        #expect(step.changes.count == 500 && step.more == 200)
        let why = try refusal(UndoRequest(profile: "game", step: nil, force: true), home, a)
        #expect(why.contains("700 places") && why.contains("hearth restore game --backup "), "\(why)")
        let backup = String(try #require(why.split(separator: " ").last))
        try done(RestoreBackupRequest(profile: "game", backup: backup), home, a)
        home.expect(start, at: path, on: [a])
    }

    /// One entry a save and no more than the newest thousand, with numbers that are never used again.
    @Test func historyIsBounded() throws {
        let home = Home(seed: 12)
        let a = try home.device("laptop")
        try home.add(path, #"{"n":0}"#, on: a)
        for n in 1...1_020 {
            home.household.save(#"{"n":\#(n)}"#, to: path, on: a)
            home.household.run(milliseconds: 1_000)
            if n == 500 {
                home.household.kill(a)
                try home.household.start(a)
            }
        }
        let steps = try history(home, a, limit: 1_000)
        #expect(steps.count == 1_000)
        #expect(steps.map(\.number) == (22...1_021).reversed())
        #expect(words([steps[0]]) == ["1021 save laptop: /n 1019 → 1020"])
        #expect(try refusal(UndoRequest(profile: "game", step: 21, force: false), home, a).contains("no step 21"))
    }

    // MARK: Resets, backups, regressed saves

    @Test func aResetIsSeenBeforehandAndTakenBack() throws {
        let (home, a, b) = try household()
        let plan = try preview(ResetRequest(profile: "game", scope: nil), home, b)
        #expect(plan.changes.map(\.place) == ["/coins", "/level", "/name", "/themes"] && plan.more == 0)
        try done(ResetRequest(profile: "game", scope: nil), home, b)
        home.expect(#"{"coins":0,"themes":[]}"#, at: path, on: [a])
        let seen = try history(home, a)[0]
        #expect(seen.origin == "reset" && seen.devices == ["deck"] && seen.changes == plan.changes)
        try done(UndoRequest(profile: "game", step: seen.number, force: false), home, a)
        home.household.run(milliseconds: 30_000)
        for device in [a, b] {
            let text = home.household.text(of: path, on: device) ?? ""
            for part in [#""coins":300"#, #""level":4"#, #""Ada""#, #""day""#] {
                #expect(text.contains(part), "\(text)")
            }
        }
    }

    /// A save that held less counts as no loss, until the player says that it was meant.
    @Test func aRegressedSaveIsAccepted() throws {
        let (home, a, b) = try household()
        home.household.save(text(900, 40), to: path, on: b)
        home.expect(text(900, 40), at: path, on: [a])
        let less = #"{"coins":7,"level":1,"name":"Ada","themes":[]}"#
        home.household.save(less, to: path, on: a)
        home.household.run(milliseconds: 10_000)
        home.expect(text(900, 40), at: path, on: [b])
        guard let status = try home.reply(to: StatusRequest(), on: a).message(StatusReport.self) else {
            throw Home.Failure("no status")
        }
        #expect(status.profiles[0].decisions?.first?.contains("hearth accept") == true, "\(status.profiles[0])")
        let plan = try preview(AcceptRequest(profile: "game", apart: false), home, a)
        #expect(
            plan.changes.map { "\($0.place) \($0.old ?? "") \($0.new ?? "")" } == [
                "/coins 900 7", "/level 40 1", "/themes [\"day\"] []",
            ])
        try done(AcceptRequest(profile: "game", apart: false), home, a)
        home.expect(less, at: path, on: [a])
        home.expect(less, at: path, on: [b])
        try done(UndoRequest(profile: "game", step: nil, force: false), home, a)
        home.household.run(milliseconds: 10_000)
        #expect(home.household.text(of: path, on: b)?.contains("900") == true)
    }

    @Test func aPurseSpentTwiceIsToldOf() throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(text(100, 4), to: path, on: a)
        home.household.save(text(180, 4), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.expect(text(0, 4), at: path, on: [a])
        home.household.run(milliseconds: 5_000)
        guard
            let found = try home.reply(to: ConflictsRequest(profile: nil), on: b).message(ConflictList.self)?.conflicts,
            found.count == 1
        else {
            throw Home.Failure("not told")
        }
        #expect(found[0].place == "/coins" && found[0].candidates.isEmpty)
        let words = try #require(found[0].information)
        for part in ["−20", "laptop spent 200", "deck spent 120", "until 20 are earned"] {
            #expect(words.contains(part))
        }
    }

    /// Nothing of what changed has a time by its rule: the history says who played last.
    @Test func aPlayThatOnlyCountsIsTheLastOneToo() throws {
        let (home, a, b) = try household()
        func last(on device: SimulatedDevice) throws -> (device: String?, time: Int64?) {
            let summary = try home.reply(to: SummaryRequest(profile: "game"), on: device).message(SummaryReport.self)
            return (summary?.device, summary?.lastPlayed)
        }
        home.household.save(text(300, 5, "Bo"), to: path, on: b)
        home.expect(text(300, 5, "Bo"), at: path, on: [a])
        home.household.run(milliseconds: 60_000)
        var former = try last(on: a)
        for (coins, player, name) in [(310, a, "laptop"), (320, b, "deck"), (330, a, "laptop")] {
            home.household.save(text(coins, 5, "Bo"), to: path, on: player)
            home.expect(text(coins, 5, "Bo"), at: path, on: [a, b])
            for device in [a, b] {
                let now = try last(on: device)
                #expect(now.device == name)
                #expect(try #require(now.time) > (try #require(former.time)))
            }
            former = try last(on: b)
            home.household.run(milliseconds: 60_000)
        }
    }

    @Test func aSummarySaysHowFarItHasCome() throws {
        let (home, a, b) = try household()
        home.household.save(text(300, 5, "Bo"), to: path, on: b)
        home.expect(text(300, 5, "Bo"), at: path, on: [a])
        guard let summary = try home.reply(to: SummaryRequest(profile: "game"), on: a).message(SummaryReport.self)
        else {
            throw Home.Failure("no summary")
        }
        #expect(
            summary.device == "deck" && summary.lastPlayed.map { $0 > SimulatedHousehold.start.milliseconds } == true)
        #expect(
            summary.fields.map { "\($0.place) \($0.value)" } == [
                "/coins 300", "/level 5", "/themes 1 entry", "/name \"Bo\"",
            ]
        )
    }
}
