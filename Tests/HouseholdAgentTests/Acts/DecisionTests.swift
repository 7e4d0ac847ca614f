import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

/// Resets and choices between whole devices, over the wire and through their records.
@Suite struct DecisionTests {
    private let path = "/saves/player.json"
    private let start = #"{"coins":500,"ending":"open","lap":1,"level":30}"#

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 4)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try RuleSet(
            [
                RuleSet.Entry(RulePattern(parsing: "/coins"), MergeRule(.counter)),
                RuleSet.Entry(RulePattern(parsing: "/level"), MergeRule(.max)),
                RuleSet.Entry(RulePattern(parsing: "/ending"), MergeRule(.choice)),
            ],
            resets: [Reset("progress", [RulePattern(parsing: "/coins"), RulePattern(parsing: "/level")])])
        try home.add(path, start, rules: rules, on: a)
        try home.restore(path, on: b)
        home.expect(start, at: path, on: [b])
        return (home, a, b)
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) -> AgentReply? {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return device.replies[id]?.last
    }

    /// The game on one device runs on with what it had in memory, whichever device the reset was asked on, and over a
    /// restart of the agents.
    @Test(arguments: [true, false]) func aGameThatGoesOnFromMemoryBringsNothingBack(resetHere: Bool) throws {
        let (home, a, b) = try household()
        guard
            case .response(is ProfileAnswer)? = answer(
                ResetRequest(profile: "game", scope: "progress"), home, resetHere ? a : b)
        else {
            Issue.record("no reset")
            return
        }
        home.expect(#"{"coins":0,"ending":"open","lap":1}"#, at: path, on: [a])
        home.expect(#"{"coins":0,"ending":"open","lap":1}"#, at: path, on: [b])
        for step in 1...3 {
            home.household.save(
                #"{"coins":\#(500 + step),"ending":"open","lap":\#(1 + step),"level":\#(30 + step)}"#, to: path, on: a)
            home.expect(#"{"coins":0,"ending":"open","lap":\#(1 + step)}"#, at: path, on: [a])
            home.expect(#"{"coins":0,"ending":"open","lap":\#(1 + step)}"#, at: path, on: [b])
            home.household.kill(a)
            try home.household.start(a)
            home.household.run(milliseconds: 5_000)
        }
        // A new game counts.
        home.household.save(#"{"coins":7,"ending":"open","lap":4,"level":2}"#, to: path, on: b)
        home.expect(#"{"coins":7,"ending":"open","lap":4,"level":2}"#, at: path, on: [a, b])
        guard
            let report = answer(ExplainRequest(profile: "game", pointer: "/coins"), home, a)?.message(
                ExplainReport.self)
        else {
            Issue.record("not explained")
            return
        }
        #expect(report.sentence == "7 = deck earned 7")
        #expect(report.contributions.contains { !$0.counts && $0.text == "started with 500" })
    }

    /// Each player takes the value that stands in the own file. That is a decision, too: it is in the history, the answer
    /// names the value, and to take back the newest step takes back no play.
    @Test func whoTakesTheOwnValueHasDecided() throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.play(#"{"coins":500,"ending":"good","lap":1,"level":30}"#, at: path, on: a)
        home.play(#"{"coins":500,"ending":"evil","lap":1,"level":30}"#, at: path, on: b)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 20_000)
        let open = answer(ConflictsRequest(profile: "game"), home, a)?.message(ConflictList.self)?.conflicts.first
        let index = try #require(open?.candidates.firstIndex { $0.value == #""good""# })
        let resolve = ResolveRequest(profile: "game", pointer: "/ending", choice: index + 1)
        let done = try #require(answer(resolve, home, a)?.message(ProfileAnswer.self))
        #expect(done.note == #"/ending is "good" now"#)
        home.expect(#"{"coins":500,"ending":"good","lap":1,"level":30}"#, at: path, on: [a, b])
        let request = HistoryRequest(profile: "game", pointer: nil, limit: 10)
        let steps = answer(request, home, a)?.message(HistoryList.self)?.history ?? []
        #expect(steps.first?.origin == "decision", "\(steps.map(\.origin))")
        guard
            case .failure(.failed, let why)? = answer(
                UndoRequest(profile: "game", step: nil, force: false), home, a)
        else { throw Home.Failure("something else was taken back") }
        #expect(why.contains("a decision, changed nothing that was shown here"), "\(why)")
    }

    /// A place in which others stand says which. Of a mistyped one the answer is a failure, which says what was meant.
    @Test(arguments: [
        ("/inv", "/inv holds 3 places, and each has its own explanation, such as /inv/[2]/id"),
        ("/inv/[7]", "/inv/[7] holds one place that has an explanation: /inv/[7]/id"),
        ("/bag", "[], written last by laptop"),
        ("/coinz", "failed: game has no place /coinz; did you mean /coins?"),
        ("/nothing", "failed: game has no place /nothing"),
        ("/inw", "failed: game has no place /inw; did you mean /inv?"),
        ("/coins", "500, written last by laptop"),
        ("/best", "/best shows 0, of which the rule max counts nothing"),
        ("/volume", "/volume is each device's own: its rule is local"),
    ])
    func aPlaceThatHoldsNoValueIsExplainedByWhatIsNear(place: String, sentence: String) throws {
        let home = Home(seed: 5)
        let a = try home.device("laptop")
        try home.add(
            path, #"{"coins":500,"inv":[{"id":2,"lit":true},{"id":7}],"bag":[],"best":0,"volume":3}"#,
            rules: home.rules([
                ("/inv[id]", MergeRule(.latest)), ("/bag[id]", MergeRule(.latest)),
                ("/best", MergeRule(.max, none: [0])), ("/volume", MergeRule(.local)),
            ]), on: a)
        let reply = answer(ExplainRequest(profile: "game", pointer: place), home, a)
        let said =
            if case .failure(.failed, let why)? = reply { "failed: \(why)" } else {
                reply?.message(ExplainReport.self)?.sentence
            }
        #expect(said == sentence, "\(reply as Any)")
    }

    @Test func aPlaceWithoutItsSlashIsMetWithTheOneThatIsMeant() throws {
        let (home, a, _) = try household()
        guard case .failure(.usage, let why)? = answer(ExplainRequest(profile: "game", pointer: "coins"), home, a)
        else {
            throw Home.Failure("it was explained")
        }
        #expect(why.hasSuffix("did you mean /coins?"), "\(why)")
        guard case .failure(.usage, let other)? = answer(ExplainRequest(profile: "game", pointer: "no"), home, a) else {
            throw Home.Failure("it was explained")
        }
        #expect(!other.contains("did you mean"), "nothing is there either: \(other)")
    }

    /// What is put aside because a game had not read a reset, or that it was taken back, leaves no half object behind:
    /// a counter would show 0 in it.
    @Test(arguments: [true, false]) func whatIsPutAsideLeavesNoHalfObject(isTakenBack: Bool) throws {
        let home = Home(seed: 8)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let fields = (0..<40).map { #""f\#($0)":"x\#($0)""# }.joined(separator: ",")
        let lamp = #"{"lamp":{"count":16,"mood":"lamp"}}"#
        // Saved twice; what says nothing under its rule is in it as well.
        let oaks = [
            #"{"oak":{"bag":["a"],"bits":0,"count":1,"lit":false,"none":null}}"#,
            #"{"oak":{"bag":["a","b"],"bits":4,"count":2,"lit":true,"none":null}}"#,
        ]
        func save(_ herd: String) -> String { "{\(fields),\"herd\":\(herd)}" }
        try home.add(
            path, save(#"{"lamp":{"count":14,"mood":"rook"}}"#),
            rules: home.rules([
                ("/herd/*/count", MergeRule(.counter)), ("/herd/*/lit", MergeRule(.flag)),
                ("/herd/*/bag", MergeRule(.union)), ("/herd/*/none", MergeRule(.counter)),
                ("/herd/*/bits", MergeRule(.union, as: .bits)),
            ]), on: a)
        try home.restore(path, on: b)
        home.household.save(save("{}"), to: path, on: b)
        home.expect(save("{}"), at: path, on: [a, b])
        _ = answer(ResetRequest(profile: "game", scope: nil), home, b)
        home.household.run(milliseconds: 20_000)
        if isTakenBack { _ = answer(UndoRequest(profile: "game", step: nil, force: false), home, b) }
        home.household.run(milliseconds: 20_000)
        for herd in [lamp] + oaks {
            home.household.save(save(herd), to: path, on: a)
            home.household.run(milliseconds: 60_000)
            for device in [a, b] {
                let text = home.household.text(of: path, on: device) ?? ""
                let isWhole = text.contains(herd) || text.contains("\"herd\":{}")
                #expect(!text.contains("herd") || isWhole, "\(text)")
            }
        }
    }

    /// An element that was removed before a reset stays removed after the reset is taken back. When a game adds an element
    /// of that key again, the former element's values count for nothing.
    @Test(arguments: [true, false], [true, false, nil])
    func whatWasRemovedBeforeAResetThatIsTakenBackCountsForNothing(removedHere: Bool, resetHere: Bool?) throws {
        let home = Home(seed: 7)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rule = MergeRule(.min, none: [0, .null])
        try home.add(
            path,
            #"{"a":1,"b":2,"c":3,"d":4,"lap":1,"town":[{"id":8,"xp":34,"best":[{"id":3,"log":true}]},{"id":1,"xp":188}]}"#,
            rules: home.rules([("/town[id]/xp", rule), ("/town[id]/best[id]", MergeRule(.latest))]), on: a)
        try home.restore(path, on: b)
        let without = #"{"a":1,"b":2,"c":3,"d":4,"lap":1,"town":[{"id":1,"xp":188}]}"#
        home.household.save(without, to: path, on: removedHere ? a : b)
        home.expect(without, at: path, on: [a, b])
        // The game that will add the element has read that it is gone.
        let played = without.replacing("\"lap\":1", with: "\"lap\":2")
        home.household.save(played, to: path, on: a)
        home.expect(played, at: path, on: [a, b])
        if let resetHere {
            let device = resetHere ? a : b
            _ = answer(ResetRequest(profile: "game", scope: nil), home, device)
            home.household.run(milliseconds: 5_000)
            let undone = answer(UndoRequest(profile: "game", step: nil, force: false), home, device)
            home.household.run(milliseconds: 5_000)
            if case .response? = undone {} else { Issue.record("not taken back: \(undone as Any)") }
        }
        home.expect(played, at: path, on: [a, b])
        let element = #"{"id":8,"best":[{"id":5,"log":false}],"xp":178}"#
        let again = played.replacing("[", with: "[\(element),", maxReplacements: 1)
        home.household.save(again, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(again, at: path, on: [a, b])
    }

    @Test func anOpenChoiceIsListedAndDecidedForAll() throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(start.replacing("open", with: "good"), to: path, on: a)
        home.household.save(start.replacing("open", with: "bad"), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        home.expect(start.replacing("open", with: "good"), at: path, on: [a])
        guard let conflicts = answer(ConflictsRequest(profile: nil), home, b)?.message(ConflictList.self)?.conflicts,
            conflicts.count == 1
        else {
            Issue.record("no conflict is listed")
            return
        }
        #expect(conflicts[0].place == "/ending" && Set(conflicts[0].candidates.map(\.device)) == ["laptop", "deck"])
        let good = try #require(conflicts[0].candidates.firstIndex { $0.value == #""good""# })
        // A machine's number stays while the game on another one goes on.
        let devices = conflicts[0].candidates.map(\.device)
        for (device, value) in [(a, "good and more"), (b, "bad and more"), (a, "good"), (b, "bad")] {
            home.household.save(start.replacing("open", with: value), to: path, on: device)
            home.household.run(milliseconds: 10_000)
            let list = answer(ConflictsRequest(profile: nil), home, b)?.message(ConflictList.self)?.conflicts
            #expect(list?.first?.candidates.map(\.device) == devices)
        }
        // A value that the player did not see under the number is not taken.
        let other = ResolveRequest(profile: "game", pointer: "/ending", choice: 2 - good, value: #""good""#)
        guard case .failure(.failed, let why)? = answer(other, home, b) else {
            Issue.record("the other value was taken")
            return
        }
        #expect(why.contains("is another one by now"))
        guard
            case .response(is ProfileAnswer)? = answer(
                ResolveRequest(profile: "game", pointer: "/ending", choice: good + 1, value: #""good""#), home, b)
        else {
            Issue.record("not decided")
            return
        }
        home.expect(start.replacing("open", with: "good"), at: path, on: [a, b])
        home.household.run(milliseconds: 5_000)
        guard answer(ConflictsRequest(profile: "game"), home, a)?.message(ConflictList.self)?.conflicts == [] else {
            Issue.record("it is still open")
            return
        }
    }

    /// Everything starts over while a choice is open, and that is taken back: each device has what it had, and the
    /// choice is open.
    @Test(arguments: [true, false]) func aResetThatIsTakenBackDecidesNothing(undoHere: Bool) throws {
        let home = Home(seed: 4)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, start, rules: home.rules([("/ending", MergeRule(.choice))]), on: a)
        try home.restore(path, on: b)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(start.replacing("open", with: "good"), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.household.save(start.replacing("open", with: "bad"), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        guard case .response(is ProfileAnswer)? = answer(ResetRequest(profile: "game", scope: nil), home, a) else {
            Issue.record("no reset")
            return
        }
        home.expect("{}", at: path, on: [a, b])
        // What came in from another device is taken back by its number.
        let undo = UndoRequest(profile: "game", step: undoHere ? nil : 3, force: false)
        guard case .response(is ProfileAnswer)? = answer(undo, home, undoHere ? a : b) else {
            Issue.record("not taken back")
            return
        }
        home.expect(start.replacing("open", with: "good"), at: path, on: [a])
        home.expect(start.replacing("open", with: "bad"), at: path, on: [b])
        for device in [a, b] {
            guard
                let conflicts = answer(ConflictsRequest(profile: nil), home, device)?.message(ConflictList.self)?
                    .conflicts
            else {
                Issue.record("no answer")
                return
            }
            #expect(conflicts.map(\.place) == ["/ending"])
        }
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        let (home, a, _) = try household()
        guard case .failure(.usage, let scopes)? = answer(ResetRequest(profile: "game", scope: "all"), home, a),
            case .failure(.failed, let nothing)? = answer(
                ResolveRequest(profile: "game", pointer: "/ending", choice: 1),
                home,
                a
            ),
            case .failure(.failed, _)? = answer(ExplainRequest(profile: "nobody", pointer: ""), home, a)
        else {
            Issue.record("it was done")
            return
        }
        #expect(scopes.contains("progress") && nothing.contains("hearth conflicts"))
    }

    /// A backup is listed, put back, and reaches the other device; what it replaced is a backup as well.
    @Test func aBackupThatIsPutBackReachesEveryDevice() throws {
        let (home, a, b) = try household()
        for coins in [510, 520, 530] {
            home.household.save(start.replacing("500", with: "\(coins)"), to: path, on: a)
            home.household.run(milliseconds: 3_000)
        }
        home.expect(start.replacing("500", with: "530"), at: path, on: [b])
        guard let backups = answer(BackupsRequest(profile: "game"), home, a)?.message(BackupList.self)?.backups,
            backups.count >= 3
        else {
            Issue.record("too few backups")
            return
        }
        #expect(backups.allSatisfy { $0.damage == nil && $0.pools.contains("changes") })
        // The newest first: what was there before 530, before 520, before 510.
        guard
            case .response(is ProfileAnswer)? = answer(
                RestoreBackupRequest(profile: "game", backup: backups[1].name), home, a)
        else {
            Issue.record("not restored")
            return
        }
        home.expect(start.replacing("500", with: "510"), at: path, on: [a])
        home.expect(start.replacing("500", with: "510"), at: path, on: [b])
        guard let after = answer(BackupsRequest(profile: "game"), home, a)?.message(BackupList.self)?.backups else {
            Issue.record("no backups")
            return
        }
        #expect(after[0].name != backups[0].name, "what the restore replaced is kept")
        guard case .failure(.failed, _)? = answer(RestoreBackupRequest(profile: "game", backup: "nothing"), home, a)
        else {
            Issue.record("a backup that is not there was restored")
            return
        }
    }

    /// A place is decided, and explained, by the very words that name it, whatever stands in the key of its element.
    @Test(arguments: [#""oak""#, "5", "1.50", #""a/b~c""#, #""x\"]y""#, #""ü [0]""#, "null", "true"])
    func aChoiceInAKeyedElementIsDecidedByItsName(key: String) throws {
        let home = Home(seed: 6)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        func save(_ ending: String) -> String {
            #"{"crew":[{"id":0,"ending":"x"},{"id":\#(key),"ending":"\#(ending)"}]}"#
        }
        try home.add(path, save("open"), rules: home.rules([("/crew[id]/ending", MergeRule(.choice))]), on: a)
        try home.restore(path, on: b)
        home.household.part(a, b)
        home.household.save(save("good"), to: path, on: a)
        home.household.save(save("bad"), to: path, on: b)
        home.household.run(milliseconds: 3_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        let conflicts = answer(ConflictsRequest(profile: "game"), home, b)?.message(ConflictList.self)?.conflicts
        let conflict = try #require(conflicts?.first)
        let choice = try #require(conflict.candidates.firstIndex { $0.value == #""good""# }) + 1
        let why = answer(ExplainRequest(profile: "game", pointer: conflict.place), home, b)
        #expect(why?.message(ExplainReport.self)?.place == conflict.place, "\(why as Any)")
        let decided = answer(ResolveRequest(profile: "game", pointer: conflict.place, choice: choice), home, b)
        #expect(decided?.message(ProfileAnswer.self) != nil, "\(decided as Any)")
        home.expect(save("good"), at: path, on: [a, b])
    }
}
