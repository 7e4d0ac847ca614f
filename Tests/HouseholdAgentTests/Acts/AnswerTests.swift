import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// What the oracle over simulated households found about acts of the player and their answers, each as a small case.
@Suite struct AnswerTests {
    private let path = "/saves/player.json"

    private func household(
        _ start: String, _ rules: [(String, MergeRule)]
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        try Home.sharing(start, at: path, rules: rules, seed: 5)
    }

    private func done(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws {
        let reply = try home.reply(to: request, on: device)
        guard case .response(is ProfileAnswer) = reply else { throw Home.Failure("not done: \(reply)") }
        home.household.run(milliseconds: 5_000)
    }

    /// A counter in a container that the accepted save has no more is gone, and shows no 0.
    @Test func anAcceptedSaveIsAllThereIs() throws {
        let rules = [("/bag/*", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/seen", MergeRule(.union))]
        let (home, a, b) = try household(#"{"level":5,"bag":{"oak":3,"fern":2},"seen":["x","y"],"coins":9}"#, rules)
        home.play(#"{"level":2}"#, at: path, on: b)
        #expect(try home.profile(on: b).decisions?.isEmpty == false)
        try done(AcceptRequest(profile: "game", apart: false), home, b)
        home.expect(#"{"level":2}"#, at: path, on: [b])
        #expect(home.household.text(of: path, on: a)?.filter { !$0.isWhitespace } == #"{"level":2}"#)
        home.play(#"{"level":3,"bag":{"oak":1}}"#, at: path, on: b)
        #expect(home.household.text(of: path, on: a)?.filter { !$0.isWhitespace } == #"{"level":3,"bag":{"oak":1}}"#)
    }

    /// A choice that was changed by a save about whose purse was asked: the answer says whether its game had read the
    /// other machine's choice. Until then neither is lost.
    @Test(arguments: [false, true]) func theAnswerAboutAPurseIsOneAboutItsChoice(apart: Bool) throws {
        let rules = [("/coins", MergeRule(.counter)), ("/path", MergeRule(.choice))]
        let (home, a, b) = try household(#"{"coins":2476,"path":"gate"}"#, rules)
        home.play(#"{"coins":2475,"path":"moss"}"#, at: path, on: a)
        home.play(#"{"coins":2531,"path":"lane"}"#, at: path, on: b)
        #expect(home.household.text(of: path, on: a) == #"{"coins":2475,"path":"moss"}"#)
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        try done(AcceptRequest(profile: "game", apart: apart), home, b)
        let coins = apart ? 2_530 : 2_531
        home.expect(#"{"coins":\#(coins),"path":"lane"}"#, at: path, on: [b])
        home.expect(#"{"coins":\#(coins),"path":"\#(apart ? "moss" : "lane")"}"#, at: path, on: [a])
        let conflicts = try home.reply(to: ConflictsRequest(profile: "game"), on: b).message(ConflictList.self)
        #expect(conflicts?.conflicts.map(\.place) == (apart ? ["/path"] : []))
    }

    /// The answer replaces the value of a choice that the game's file had shown, and no other one: a third machine's
    /// value, which no file here ever held, stays to be decided.
    @Test func theAnswerAboutAPurseReplacesOnlyTheChoiceThatWasShown() throws {
        let rules = [("/coins", MergeRule(.counter)), ("/path", MergeRule(.choice))]
        let (home, a, b) = try household(#"{"coins":2476,"path":"gate"}"#, rules)
        let c = try home.device("tv")
        try home.pair(a, c)
        try home.restore(path, on: c)
        home.household.run(milliseconds: 10_000)
        home.household.part(b, c)
        home.household.part(a, c)
        home.household.run(milliseconds: 1_000)
        home.play(#"{"coins":2476,"path":"fern"}"#, at: path, on: c)
        home.play(#"{"coins":2475,"path":"moss"}"#, at: path, on: a)
        home.household.part(b, c, false)
        home.household.part(a, c, false)
        home.household.run(milliseconds: 60_000)
        let shown = try #require(home.household.text(of: path, on: b))
        let other = shown.contains("moss") ? "fern" : "moss"
        home.play(#"{"coins":2531,"path":"lane"}"#, at: path, on: b)
        try done(AcceptRequest(profile: "game", apart: false), home, b)
        let conflicts = try home.reply(to: ConflictsRequest(profile: "game"), on: b).message(ConflictList.self)
        let values = conflicts?.conflicts.first?.candidates.map(\.value).sorted()
        #expect(values == ["\"lane\"", "\"\(other)\""].sorted(), "\(shown)")
    }

    /// A second save leaves the purse open as well. The answer does not replace what another machine chose after the
    /// save that had changed the choice.
    @Test func theAnswerAboutTwoSavesReplacesNoLaterChoice() throws {
        let rules = [("/coins", MergeRule(.counter)), ("/path", MergeRule(.choice))]
        let (home, a, b) = try household(#"{"coins":2476,"path":"gate"}"#, rules)
        home.play(#"{"coins":2475,"path":"moss"}"#, at: path, on: a)
        home.play(#"{"coins":2531,"path":"lane"}"#, at: path, on: b)
        home.play(#"{"coins":2475,"path":"fen"}"#, at: path, on: a)
        home.play(#"{"coins":2474,"path":"fen"}"#, at: path, on: a)
        home.play(#"{"coins":2590,"path":"lane"}"#, at: path, on: b)
        #expect(try home.profile(on: b).decisions?.first?.contains("/coins") == true)
        try done(AcceptRequest(profile: "game", apart: false), home, b)
        let conflicts = try home.reply(to: ConflictsRequest(profile: "game"), on: b).message(ConflictList.self)
        let values = conflicts?.conflicts.first?.candidates.map(\.value).sorted()
        #expect(values == ["\"fen\"", "\"lane\""], "\(String(describing: conflicts))")
    }

    /// The save left the choice out. That counts where the player says that its game had read the other machine's.
    @Test(arguments: [false, true]) func theAnswerAboutAPurseIsOneAboutAChoiceThatIsGone(apart: Bool) throws {
        let rules = [("/coins", MergeRule(.counter)), ("/path", MergeRule(.choice))]
        let (home, a, b) = try household(#"{"coins":2476,"path":"gate"}"#, rules)
        home.play(#"{"coins":2475,"path":"moss"}"#, at: path, on: a)
        home.play(#"{"coins":2531}"#, at: path, on: b)
        home.expect(#"{"coins":2475,"path":"moss"}"#, at: path, on: [a])
        try done(AcceptRequest(profile: "game", apart: apart), home, b)
        home.expect(apart ? #"{"coins":2530,"path":"moss"}"# : #"{"coins":2531}"#, at: path, on: [a])
    }

    /// What a save removed as a whole is gone, with the choice in it, also where it leaves a purse open.
    @Test func aRemovedObjectWithAChoiceIsGoneBesideAnOpenPurse() throws {
        let rules = [("/coins", MergeRule(.counter)), ("/quest/ending", MergeRule(.choice))]
        let more = #""a":1,"b":2,"c":3,"d":4"#
        let quest = #""quest":{"ending":"gate","name":"x"}"#
        let (home, a, b) = try household(#"{"coins":2476,\#(more),\#(quest)}"#, rules)
        home.play(#"{"coins":2475,\#(more),\#(quest)}"#, at: path, on: a)
        home.play(#"{"coins":2531,\#(more)}"#, at: path, on: b)
        #expect(try home.profile(on: b).decisions?.first?.contains("/coins") == true)
        home.expect(#"{"coins":2475,\#(more)}"#, at: path, on: [a, b])
        try done(AcceptRequest(profile: "game", apart: false), home, b)
        home.expect(#"{"coins":2531,\#(more)}"#, at: path, on: [a, b])
    }

    /// Nothing is lost where a reset has left nothing: zeros that the first save does not have are no question.
    @Test func aNewLifeAfterAResetIsNotAskedAbout() throws {
        let rules = [("/bag/*", MergeRule(.counter)), ("/won", MergeRule(.flag))]
        let (home, a, b) = try household(#"{"bag":{"oak":3,"fern":2,"moss":7,"tide":1},"won":true}"#, rules)
        try done(ResetRequest(profile: "game", scope: nil), home, a)
        home.play(#"{"won":false,"name":"Ada"}"#, at: path, on: a)
        #expect(try home.profile(on: a).decisions?.isEmpty != false)
        for device in [a, b] {
            #expect(home.household.text(of: path, on: device)?.contains("Ada") == true, "\(device.name)")
            #expect(home.household.text(of: path, on: device)?.contains("oak") == false, "\(device.name)")
        }
    }

    /// An undo puts a list back as it stood, not its values alone; and so does the undo of a reset.
    @Test func anUndoPutsTheOrderBack() throws {
        let rules = [("/heroes[id]/xp", MergeRule(.max)), ("/tags", MergeRule(.set))]
        let start = #"{"heroes":[{"id":3,"xp":1},{"id":1,"xp":2},{"id":2,"xp":3}],"tags":["c","a","b"],"theme":"x"}"#
        let (home, a, b) = try household(start, rules)
        home.play(
            #"{"heroes":[{"id":1,"xp":2},{"id":2,"xp":3},{"id":3,"xp":4}],"tags":["a","b","c"],"theme":"y"}"#, at: path,
            on: a)
        try done(UndoRequest(profile: "game", step: nil, force: false), home, a)
        home.expect(start, at: path, on: [a, b])
        try done(ResetRequest(profile: "game", scope: nil), home, a)
        try done(UndoRequest(profile: "game", step: nil, force: false), home, a)
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            let ids = text.split(separator: "\"id\":").dropFirst().compactMap { $0.first }
            #expect(ids == ["3", "1", "2"], "\(device.name): \(text)")
        }
    }

    /// The answer about a purse is a step of its own: an undo takes back the answer, and nothing else of the save.
    @Test func anUndoAfterTheAnswerTakesBackTheAnswer() throws {
        func save(_ coins: Int) -> String { #"{"coins":\#(coins),"name":"Ada"}"# }
        let (home, a, b) = try household(save(100), [("/coins", MergeRule(.counter))])
        home.play(save(101), at: path, on: b)
        home.play(save(501), at: path, on: a)
        home.play(save(201), at: path, on: b)
        #expect(try home.profile(on: b).decisions?.isEmpty == false)
        try done(AcceptRequest(profile: "game", apart: true), home, b)
        home.expect(save(601), at: path, on: [a, b])
        try done(UndoRequest(profile: "game", step: nil, force: false), home, b)
        home.expect(save(501), at: path, on: [a, b])
    }

    /// A save that equals what an undo has just taken away may be play or an old memory: whatever is taken for it is a
    /// guess, and said to be one.
    @Test func whatWasTakenForAnOlderStateIsSaid() throws {
        let (home, a, b) = try household(#"{"best":[true,false]}"#, [("/best/*", MergeRule(.flag))])
        home.play(#"{"best":[true,true]}"#, at: path, on: b)
        try done(UndoRequest(profile: "game", step: nil, force: false), home, b)
        home.play(#"{"best":[true,true]}"#, at: path, on: a)
        let counts = home.household.text(of: path, on: b)?.contains("[true,true]") == true
        #expect(try counts || home.profile(on: a).remark != nil || home.profile(on: a).decisions?.isEmpty == false)
    }

    /// An element by position that the game removed, with a record in it, does not make its game one that never read it:
    /// what other places earned does not count twice.
    @Test func aSoldElementWithARecordDoesNotCountTheRestTwice() throws {
        let rules = [
            ("/heroes/*/best", MergeRule(.union, as: .bits)), ("/heroes/*/xp", MergeRule(.counter)),
            ("/coins", MergeRule(.counter)),
        ]
        let (home, a, b) = try household(#"{"coins":10,"heroes":[{"best":1,"xp":5}],"theme":"a"}"#, rules)
        home.play(
            #"{"coins":70,"heroes":[{"best":3,"xp":25},{"best":8,"xp":40},{"best":4,"xp":9}],"theme":"b"}"#, at: path,
            on: a)
        home.play(#"{"coins":70,"heroes":[{"best":3,"xp":25},{"best":8,"xp":40}],"theme":"b"}"#, at: path, on: b)
        for device in [a, b] {
            let text = home.household.text(of: path, on: device)?.filter { !$0.isWhitespace }
            #expect(text?.contains(#""coins":70"#) == true, "\(device.name): \(text ?? "")")
            #expect(text?.contains(#""xp":25"#) == true, "\(device.name): \(text ?? "")")
        }
    }
}
