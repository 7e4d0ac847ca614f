import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing
@testable import HouseholdAgent
@testable import HouseholdSimulation

/// What is done while a question is open.
extension QuestionWordsTests {
    /// Two saves of two sessions are set aside. The question is about the newer one; the older one stays among the
    /// backups however many follow, and the question says how it comes back.
    @Test func aSaveThatWasSetAsideBeforeIsKept() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(#"{"coins":100,"level":4,"best":80,"name":"Bo"}"#, at: path, on: b)
        home.play("{}", at: path, on: b)
        let question = try #require(try home.profile(on: b).decisions?.first)
        let words = "\nA save before it was set aside, too: hearth restore game --backup "
        #expect(question.contains(words), "\(question)")
        for coins in 101...120 { home.play(save(coins, 5, 80), at: path, on: a) }
        let backup = question.split(separator: words).last.map(String.init)
        let list = try home.reply(to: BackupsRequest(profile: "game"), on: b).message(BackupList.self)
        #expect(list?.backups.first { $0.name == backup }?.isPinned == true, "\(String(describing: list))")
        // The same save once more is no third one.
        home.play("{}", at: path, on: b)
        #expect(try home.profile(on: b).decisions?.first?.split(separator: "A save before").count == 2)
    }

    /// The game plays in an element that only the save that is asked about holds, in a list that the game removed before:
    /// the element comes with what was played in it, and nothing comes back with it.
    @Test(arguments: [true, false]) func playInAnElementThatIsAskedAboutBringsNothingElseBack(isKeyed: Bool) throws {
        let rule = isKeyed ? "/crew[id]/count" : "/crew/*/count"
        func crew(_ members: [(String, Int)]) -> String {
            let texts = members.map { name, count in
                isKeyed ? #"{"id":"\#(name)","count":\#(count)}"# : #""\#(name)":{"count":\#(count)}"#
            }.joined(separator: ",")
            return isKeyed ? "[\(texts)]" : "{\(texts)}"
        }
        let many = #""a":1,"b":2,"c":3,"d":4"#
        let (home, a, b) = try household(
            #"{\#(many),"crew":\#(crew([("fern", 3), ("sky", 4)]))}"#, [(rule, MergeRule(.counter))])
        home.play("{\(many)}", at: path, on: b)
        home.expect("{\(many)}", at: path, on: [a, b])
        home.play(#"{"a":1,"crew":\#(crew([("oak", 33)]))}"#, at: path, on: b)
        #expect(try home.profile(on: b).decisions != nil)
        for count in [45, 46] {
            home.play(#"{"a":1,"crew":\#(crew([("oak", count)]))}"#, at: path, on: b)
            let texts = [a, b].map { home.household.text(of: path, on: $0) ?? "" }
            let files = try texts.map { try JSONValue(parsing: Array($0.utf8)) }
            #expect(files[0] == files[1], "\(texts)")
            #expect(!texts[0].contains("fern") && !texts[0].contains("sky"), "\(texts)")
        }
    }

    /// A save that is asked about holds an element from before a reset, and its game plays on in it: all of the element
    /// comes, since no game wrote half of it.
    @Test(arguments: [true, false]) func playInAnElementThatIsAskedAboutBringsTheWholeElement(isKeyed: Bool) throws {
        func crew(_ name: String, _ member: String) -> String {
            isKeyed ? #"[{"id":"\#(name)",\#(member)}]"# : #"{"\#(name)":{\#(member)}}"#
        }
        let many = #""a":1,"b":2,"c":3,"d":4"#
        let rule = isKeyed ? "/crew[id]/best" : "/crew/*/best"
        let (home, a, b) = try household(
            #"{\#(many),"crew":\#(crew("fern", #""best":5,"bag":{"oak":1}"#))}"#, [(rule, MergeRule(.max))])
        _ = try home.reply(to: ResetRequest(profile: "game", scope: nil), on: b)
        home.household.run(milliseconds: 5_000)
        let anew = #"{"e":1,"f":2,"g":3,"h":4}"#
        home.play(anew, at: path, on: b)
        home.expect(anew, at: path, on: [a, b])
        home.play(#"{"e":1,"crew":\#(crew("fern", #""best":5,"bag":{"oak":1}"#))}"#, at: path, on: b)
        #expect(try home.profile(on: b).decisions != nil)
        home.play(#"{"e":1,"crew":\#(crew("fern", #""best":5,"bag":{"oak":1,"mill":2}"#))}"#, at: path, on: b)
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            for part in [#""best":5"#, #""oak":1"#, #""mill":2"#] { #expect(text.contains(part), "\(text)") }
        }
    }

    /// A reset or a restore settles the question, and the game still goes on from its memory of the save that was asked
    /// about. What was set aside stays out of every file.
    @Test(arguments: ["reset", "restore"], [1, 2]) func anActThatSettlesAQuestionShowsNothingThatIsSetAside(
        act: String, played: Int
    ) throws {
        let start = #"{"bag":{},"shop":[1,2]}"#
        let (home, a, b) = try household(start, [("/bag/*/uses/*", MergeRule(.counter)), ("/shop", MergeRule(.set))])
        home.play(#"{"shop":[1,2]}"#, at: path, on: b)
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: b)
        func memory(_ uses: Int, _ shop: String) -> String {
            #"{"bag":{"cap":{"uses":[1]},"bow":{"uses":[\#(uses),4]}}\#(shop)}"#
        }
        for uses in [7, 9].prefix(played) { home.play(memory(uses, ""), at: path, on: b) }
        #expect(try home.profile(on: b).decisions != nil)
        let request: any AgentRequest =
            act == "reset"
            ? ResetRequest(profile: "game", scope: nil) : RestoreBackupRequest(profile: "game", backup: "newest")
        let answer = try home.reply(to: request, on: b)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: b).decisions == nil, "\(answer)")
        for uses in [12, 13] {
            home.play(memory(uses, #","shop":[3]"#), at: path, on: b)
            let texts = [a, b].map { home.household.text(of: path, on: $0) ?? "" }
            let files = try texts.map { try JSONValue(parsing: Array($0.utf8)) }
            #expect(files[0] == files[1], "\(texts) after \(answer)")
        }
    }

    /// The game reads what was put in the place of a save that is asked about, and plays on: that counts everywhere,
    /// and the question stands, as one about an earlier save.
    @Test func playOnWhatTheFileShowsCountsWhileTheQuestionStands() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(#"{"coins":100}"#, at: path, on: b)
        #expect(try home.profile(on: b).decisions?.first?.hasPrefix("the last save ") == true)
        let shown = try #require(home.household.text(of: path, on: b))
        #expect(shown.contains("Ada"))
        home.play(shown.replacing("Ada", with: "Bo").replacing("100", with: "120"), at: path, on: b)
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            #expect(text.contains("Bo") && text.contains("120"), "\(device.name): \(text)")
        }
        #expect(try home.profile(on: b).decisions?.first?.hasPrefix("an earlier save ") == true)
    }

    /// The answer to what was asked of a purse does not bring it back.
    @Test func aPurseThatWasRemovedSinceStaysRemoved() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(500, 5, 80), at: path, on: a)
        home.play(save(200, 5, 80), at: path, on: b)
        #expect(try home.profile(on: b).decisions != nil)
        let without = #"{"level":5,"best":80,"name":"Ada"}"#
        home.play(without, at: path, on: b)
        home.expect(without, at: path, on: [a, b])
        for apart in [false, true] {
            let why = try refusal(AcceptRequest(profile: "game", apart: apart), home, b)
            #expect(why == "what was asked about was removed since, so nothing of it counts; keep what you have now")
        }
        #expect(
            try home.profile(on: b).decisions == [
                "what was asked about was removed since, so nothing of it counts; keep what you have now: "
                    + "hearth keep game"
            ], "no answer is offered that would be refused")
        _ = try home.reply(to: KeepRequest(profile: "game"), on: b)
        #expect(try home.profile(on: b).decisions == nil)
        home.expect(without, at: path, on: [a, b])
    }

    /// The answer about a purse settles that question, and nothing that was said of saves before it.
    @Test func anAnswerAboutAPurseLeavesWhatElseWasSaid() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        func played(_ coins: Int, best: Int) -> String {
            #"{"coins":\#(coins),"level":6,"best":\#(best),"name":"Bo"}"#
        }
        home.play(played(120, best: 70), at: path, on: b)
        home.expect(played(120, best: 80), at: path, on: [a, b])
        let remark = try #require(try home.profile(on: b).remark)
        // So that the purse is all that tells the states of the file apart.
        home.play(played(121, best: 80), at: path, on: b)
        home.play(played(521, best: 80), at: path, on: a)
        home.play(played(221, best: 80), at: path, on: b)
        #expect(try home.profile(on: b).decisions != nil)
        guard case .response(is ProfileAnswer) = try home.reply(to: AcceptRequest(profile: "game", apart: true), on: b)
        else {
            throw Home.Failure("not accepted")
        }
        let after = try home.profile(on: b)
        #expect(after.decisions == nil && after.remark?.contains(remark) == true, "\(after)")
        home.expect(played(621, best: 80), at: path, on: [a, b])
    }

    @Test func openChoicesAreCounted() throws {
        let (home, a, b) = try household(
            #"{"end":"-","side":"-"}"#, [("/end", MergeRule(.choice)), ("/side", MergeRule(.choice))])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.play(#"{"end":"good","side":"red"}"#, at: path, on: a)
        home.play(#"{"end":"bad","side":"blue"}"#, at: path, on: b)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        #expect(
            try home.profile(on: a).decisions == [
                "2 choices wait for you; until then each device keeps its own: hearth conflicts game"
            ])
    }

    /// Answers where nothing was asked: a reset to the last save would put later progress of others into the backups.
    @Test func withNoQuestionThereIsNothingToAnswer() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(130, 6, 80), at: path, on: b)
        home.expect(save(130, 6, 80), at: path, on: [a])
        let nothing =
            "nothing is asked about the saves of game, so there is nothing to accept; to start over on every "
            + "machine: hearth reset game; to go back to an earlier state: hearth backups game"
        #expect(try refusal(AcceptRequest(profile: "game", apart: false), home, a) == nothing)
        #expect(try refusal(PreviewRequest(AcceptRequest(profile: "game", apart: false)), home, a) == nothing)
        #expect(
            try refusal(KeepRequest(profile: "game"), home, a) == "nothing is asked or said about the saves of game")
        guard case .failure(.usage, let why) = try home.reply(to: AcceptRequest(profile: "game", apart: true), on: a)
        else {
            throw Home.Failure("accepted")
        }
        #expect(why == "no amounts of game are asked about; leave --apart out to accept its last save")
        home.household.run(milliseconds: 10_000)
        home.expect(save(130, 6, 80), at: path, on: [a, b])
        // Said twice: the second answer finds no question any more.
        let less = #"{"coins":0,"level":0,"best":0,"name":""}"#
        home.play(less, at: path, on: a)
        let accepted = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: a)
        guard case .response(is ProfileAnswer) = accepted else {
            throw Home.Failure("not accepted: \(accepted) \(home.household.text(of: path, on: a) ?? "")")
        }
        home.expect(less, at: path, on: [a, b])
        home.play(save(5, 1, 2), at: path, on: b)
        home.expect(save(5, 1, 2), at: path, on: [a])
        #expect(try refusal(AcceptRequest(profile: "game", apart: false), home, a) == nothing)
        home.household.run(milliseconds: 10_000)
        home.expect(save(5, 1, 2), at: path, on: [a, b])
    }

    @Test func withAnOpenChoiceAloneThatIsNamed() throws {
        let (home, a, b) = try household(#"{"end":"-"}"#, [("/end", MergeRule(.choice))])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.play(#"{"end":"good"}"#, at: path, on: a)
        home.play(#"{"end":"bad"}"#, at: path, on: b)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        #expect(
            try refusal(AcceptRequest(profile: "game", apart: false), home, a)
                == "nothing is asked about the saves of game, so there is nothing to accept; a choice waits for you: "
                + "hearth conflicts game")
    }
}
