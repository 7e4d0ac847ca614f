import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Every sentence by which status asks about a save or tells of one, word for word, as it comes about in a household;
/// and what `accept` and `keep` say where there is nothing to answer.
@Suite struct QuestionWordsTests {
    private let path = "/saves/player.json"

    private func household(
        _ start: String, _ rules: [(String, MergeRule)]
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let (home, a, b) = try Home.sharing(start, at: path, rules: rules, seed: 33)
        home.play(start, at: path, on: b)
        return (home, a, b)
    }

    private func refusal(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> String {
        guard case .failure(.failed, let why) = try home.reply(to: request, on: device) else { return "" }
        return why
    }

    private var rules: [(String, MergeRule)] {
        [("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/best", MergeRule(.max))]
    }

    private func save(_ coins: Int, _ level: Int, _ best: Int) -> String {
        #"{"coins":\#(coins),"level":\#(level),"best":\#(best),"name":"Ada"}"#
    }

    // MARK: Questions

    @Test(arguments: [
        (
            #"{"coins":0,"level":0,"best":0,"name":""}"#, "lacks over half of what there was",
            "/best from 90 to 0, /level from 5 to 0"
        ),
        (
            #"{"coins":100,"level":5,"best":80,"name":"Ada"}"#, "is what the file held at an earlier time",
            "/best from 90 to 80"
        ),
        (
            #"{"coins":100,"level":4,"best":90,"name":"Ada"}"#, "holds less than before and nothing new",
            "/level from 5 to 4"
        ),
        (
            #"{"coins":100,"level":6,"best":85,"name":"Ada"}"#, "lost as much as it gained", "/best from 90 to 85"
        ),
        (
            #"{"coins":100,"level":4,"best":85,"name":"Ada","a":1,"b":2,"c":3}"#,
            "differs as much as the save of another game", "/best from 90 to 85, /level from 5 to 4"
        ),
    ])
    func aSaveThatHeldLessIsAskedAbout(_ text: String, _ doubt: String, _ lowered: String) throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.play(save(100, 5, 90), at: path, on: a)
        home.play(text, at: path, on: a)
        let decisions = try home.profile(on: a).decisions ?? []
        #expect(
            decisions == [
                "the last save \(doubt) (\(lowered)); it is set aside, and the file shows what you had. "
                    + "If the save was meant, let it count with: hearth accept game\n"
                    + "If not, settle it with: hearth keep game"
            ], "\(decisions)")
        guard let answer = try home.reply(to: KeepRequest(profile: "game"), on: a).message(ProfileAnswer.self) else {
            throw Home.Failure("not kept")
        }
        let note = try #require(answer.note)
        #expect(
            note.hasPrefix("the save that was asked about stays among the backups; /") && note.contains(" stays "),
            "\(note)")
        #expect(answer.profile.decisions == nil)
    }

    /// `keep` says what stays as it is: what `accept` would have changed, the first five places of it.
    @Test func whatIsKeptIsNamed() throws {
        let start = #"{"best":9,"l1":1,"l2":2,"l3":3,"l4":4,"l5":5,"l6":6}"#
        let levels = (1...6).map { ("/l\($0)", MergeRule(.max)) }
        let (home, a, _) = try household(start, levels + [("/best", MergeRule(.max))])
        home.play(#"{"best":9,"l1":0,"l2":0,"l3":0,"l4":0,"l5":0,"l6":0,"new":1}"#, at: path, on: a)
        let note = try home.reply(to: KeepRequest(profile: "game"), on: a).message(ProfileAnswer.self)?.note
        #expect(
            note == "the save that was asked about stays among the backups; /l1 stays 1, /l2 stays 2, /l3 stays 3, "
                + "/l4 stays 4, /l5 stays 5 and 1 more place stays", "\(note ?? "-")")
    }

    /// Where a remark alone is settled, no save was asked about.
    @Test func aRemarkIsSettledWithoutAWordAboutASave() throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.play(#"{"coins":120,"level":6,"best":70,"name":"Bo"}"#, at: path, on: a)
        #expect(try home.profile(on: a).remark != nil)
        let answer = try #require(try home.reply(to: KeepRequest(profile: "game"), on: a).message(ProfileAnswer.self))
        #expect(answer.note == nil && answer.profile.remark == nil)
    }

    @Test func aPurseOfWhichNobodyCanTellIsAskedAbout() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(500, 5, 80), at: path, on: a)
        home.play(save(200, 5, 80), at: path, on: b)
        #expect(
            try home.profile(on: b).decisions == [
                "nobody can tell whether the game had read what other machines earned before its last save: "
                    + "/coins (-300 or +100). Had it read that, say: hearth accept game\n"
                    + "Had it not: hearth accept game --apart\nTo count neither: hearth keep game"
            ])
        let answer = try home.reply(to: KeepRequest(profile: "game"), on: b).message(ProfileAnswer.self)
        #expect(answer?.note == "/coins stays 500")
    }

    /// A game goes on from the memory of a save that is asked about. What it plays counts, and what was set aside stays
    /// out of every file, also of the one that the game writes: files never drift.
    @Test(arguments: [false, true], [false, true]) func playOnASaveThatIsAskedAboutShowsNothingThatIsSetAside(
        isKept: Bool, isRestarted: Bool
    ) throws {
        let start = #"{"bag":{},"shop":[1,2]}"#
        let (home, a, b) = try household(start, [("/bag/*/uses/*", MergeRule(.counter)), ("/shop", MergeRule(.set))])
        home.play(#"{"shop":[1,2]}"#, at: path, on: b)
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: b)
        home.expect(#"{"shop":[1,2]}"#, at: path, on: [a, b])
        func memory(_ uses: Int, _ shop: String) -> String {
            #"{"bag":{"cap":{"uses":[1]},"bow":{"uses":[\#(uses),4]}}\#(shop)}"#
        }
        home.play(memory(7, ""), at: path, on: b)
        #expect(try home.profile(on: b).decisions != nil)
        home.expect(#"{"shop":[1,2]}"#, at: path, on: [a, b])
        for (uses, shop) in [(9, #","shop":[3]"#), (12, #","shop":[3,4]"#), (13, #","shop":[3,4]"#)] {
            home.play(memory(uses, shop), at: path, on: b)
            let texts = [a, b].map { home.household.text(of: path, on: $0) ?? "" }
            let files = try texts.map { try JSONValue(parsing: Array($0.utf8)) }
            #expect(files[0] == files[1], "\(texts)")
            #expect(files[0]["bag"]?["cap"] == nil)
            #expect(files[0]["bag"]?["bow"]?["uses"] == .array([.number(JSONNumber(uses - 7))]))
            if isKept, uses == 9 { _ = try home.reply(to: KeepRequest(profile: "game"), on: b) }
            if isRestarted, uses == 12 {
                home.household.kill(b)
                try home.household.start(b)
                home.household.run(milliseconds: 5_000)
            }
        }
        guard !isKept else { return }
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: b)
        home.household.run(milliseconds: 5_000)
        let accepted = try JSONValue(parsing: Array(memory(13, #","shop":[3,4]"#).utf8))
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            #expect(try JSONValue(parsing: Array(text.utf8)) == accepted, "\(text)")
        }
    }

    /// Two questions: about a purse, and about a later save that was set aside. The later one is answered first; the
    /// other one waits and is not forgotten, also over a restart.
    @Test func aPurseThatIsAskedAboutOutlivesASaveThatIsSetAside() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(500, 5, 80), at: path, on: a)
        home.play(save(200, 5, 80), at: path, on: b)
        let purse = try #require(try home.profile(on: b).decisions)
        home.play(save(200, 5, 70), at: path, on: b)
        let both = try #require(try home.profile(on: b).decisions)
        #expect(both.count == 2 && both[0].hasPrefix("the last save holds less than before"), "\(both)")
        #expect(both[1] == "when that is answered, another question about the saves of game waits")
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: b).decisions == both)
        _ = try home.reply(to: KeepRequest(profile: "game"), on: b)
        #expect(try home.profile(on: b).decisions == purse)
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: true), on: b)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: b).decisions == nil)
        home.expect(save(600, 5, 80), at: path, on: [a, b])
    }

    /// The other way round: a save that was set aside stays known while a later save's purse is asked about.
    @Test func aSaveThatIsSetAsideOutlivesAPurseThatIsAskedAbout() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(100, 5, 70), at: path, on: b)
        let aside = try #require(try home.profile(on: b).decisions?.first)
        #expect(aside.hasPrefix("the last save holds less than before"))
        // So that the purse is all that tells the states of the file apart.
        home.play(save(101, 5, 80), at: path, on: b)
        home.play(save(501, 5, 80), at: path, on: a)
        home.play(save(201, 5, 80), at: path, on: b)
        let both = try #require(try home.profile(on: b).decisions)
        #expect(both.count == 2 && both[0].contains("/coins"), "\(both)")
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: true), on: b)
        let left = try #require(try home.profile(on: b).decisions)
        #expect(left.count == 1 && left[0].hasPrefix("an earlier save holds less than before"), "\(left)")
        let words = left[0].split(separator: "--backup ").last?.prefix { !$0.isNewline }
        let backup = try #require(words.map(String.init))
        _ = try home.reply(to: RestoreBackupRequest(profile: "game", backup: backup), on: b)
        home.household.run(milliseconds: 5_000)
        home.expect(save(100, 5, 70), at: path, on: [a, b])
    }

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

    // MARK: Remarks

    @Test func whatTheGameLoweredIsNamed() throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.play(#"{"coins":120,"level":6,"best":70,"name":"Bo"}"#, at: path, on: a)
        #expect(
            try home.profile(on: a).remark
                == "the game lowered /best from 80 to 70, and the rule max keeps what was there; if it means that, "
                + "give the place another rule")
        #expect(try home.profile(on: a).decisions == nil)
    }

    /// A second save that lowers another place: both stay named, also over a restart, until they are settled.
    @Test func whatTwoSavesLoweredIsNamed() throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.play(#"{"coins":120,"level":6,"best":70,"name":"Bo"}"#, at: path, on: a)
        home.play(#"{"coins":130,"level":3,"best":90,"name":"Bo","x":1,"y":2}"#, at: path, on: a)
        let lowered =
            "the game lowered /best from 80 to 70, and the rule max keeps what was there, /level from 6 to 3, and the "
            + "rule max keeps what was there; if it means that, give the place another rule"
        let before = try home.profile(on: a).remark
        #expect(before?.contains(lowered) == true, "\(before ?? "")")
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        let after = try home.profile(on: a).remark
        #expect(after == before)
        _ = try home.reply(to: KeepRequest(profile: "game"), on: a)
        #expect(try home.profile(on: a).remark == nil)
    }

    @Test func aGuessIsSaid() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(500, 5, 80), at: path, on: a)
        home.expect(save(500, 5, 80), at: path, on: [b])
        home.play(save(110, 5, 80), at: path, on: b)
        let remark = try home.profile(on: b).remark ?? ""
        #expect(remark.hasPrefix("which state the game had read before its last save was guessed"), "\(remark)")
        #expect(remark.split(separator: " ").count { $0.hasPrefix("guessed") } == 1, "\(remark)")
    }

    /// Other programs opened the file, so nobody knows what the game had read; but whatever it was, the household has the
    /// same after the save. Nothing was guessed, and nothing is said.
    @Test(arguments: [
        #"{"coins":100,"level":5,"best":80,"name":"Cleo"}"#, #"{"coins":100,"level":5,"best":99,"name":"Cleo"}"#,
        #"{"coins":100,"level":7,"best":99,"name":"Cleo","new":[1]}"#,
    ])
    func nothingIsSaidWhereEveryStateLeadsToTheSame(_ text: String) throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        for name in ["Bo", "Bob"] {
            let news = #"{"coins":100,"level":5,"best":90,"name":"\#(name)"}"#
            home.play(news, at: path, on: a)
            home.expect(news, at: path, on: [b])
        }
        home.play(text.replacing(#""best":80"#, with: #""best":90"#), at: path, on: b)
        home.expect(text.replacing(#""best":80"#, with: #""best":90"#), at: path, on: [a, b])
        for device in [a, b] { #expect(try home.profile(on: device).remark == nil) }
    }

    /// By the guess that its game had read the newest state a coin was spent. If that is wrong, coins were earned, and
    /// are lost: the place is named, also beside what it says of another save.
    @Test func whatAWrongGuessLosesIsNamed() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(140, 5, 80), at: path, on: a)
        home.expect(save(140, 5, 80), at: path, on: [b])
        home.play(save(139, 5, 80), at: path, on: b)
        home.expect(save(139, 5, 80), at: path, on: [a, b])
        #expect(
            try home.profile(on: b).remark
                == "which state the game had read before its last save was guessed from the content, by 1 vote against 0 "
                + "(if that is wrong, something was lost at /coins)")
        home.play(save(150, 5, 80), at: path, on: b)
        #expect(try home.profile(on: b).remark?.contains("(if that is wrong, something was lost at /coins)") == true)
        _ = try home.reply(to: KeepRequest(profile: "game"), on: b)
        #expect(try home.profile(on: b).remark == nil)
    }

    /// What the save holds and the newest state does not was played, if its game had read the newest state. By the guess
    /// that it had not, nothing of it counts; that is said, and the save is kept.
    @Test func whatAGuessLeavesOutIsNamed() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        let news = #"{"coins":500,"level":5,"best":80,"name":"Bo"}"#
        home.play(news, at: path, on: a)
        home.expect(news, at: path, on: [b])
        home.play(save(110, 5, 80), at: path, on: b)
        home.expect(#"{"coins":510,"level":5,"best":80,"name":"Bo"}"#, at: path, on: [a, b])
        let remark = try home.profile(on: b).remark ?? ""
        #expect(
            remark.hasSuffix("; what the save holds at /name does not count by that, and the save is in the backups"),
            "\(remark)")
        let id = try #require(b.machine?.engine.profiles.ids.first)
        func isKept() throws -> Bool {
            let backups = try b.machine?.engine.backups(id) ?? []
            return backups.contains {
                b.machine?.engine.readBackup(id, $0.name) == .document(Array(save(110, 5, 80).utf8))
            }
        }
        #expect(try isKept())
        // It stays until the player has read of it, however much is played meanwhile and over a restart.
        for coins in 1...7 { home.play(#"{"coins":\#(510 + coins),"level":5,"best":80,"name":"Bo"}"#, at: path, on: b) }
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        for coins in 8...15 {
            home.play(#"{"coins":\#(510 + coins),"level":5,"best":80,"name":"Bo"}"#, at: path, on: b)
        }
        #expect(try home.profile(on: b).remark == remark)
        #expect(try isKept())
        _ = try home.reply(to: KeepRequest(profile: "game"), on: b)
        for coins in 16...25 {
            home.play(#"{"coins":\#(510 + coins),"level":5,"best":80,"name":"Bo"}"#, at: path, on: b)
        }
        #expect(try !isKept())
    }

    /// The game most likely went on from the file after a save was asked about. The last save counts, so the question is
    /// about an earlier one, and both have their way back.
    @Test func aSaveAfterAQuestionMayHaveGoneOnFromTheFile() throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.play(save(100, 5, 90), at: path, on: a)
        home.play(#"{"coins":0,"level":0,"best":0,"name":""}"#, at: path, on: a)
        let shown = try home.reply(to: PreviewRequest(AcceptRequest(profile: "game")), on: a).message(
            PreviewReport.self)
        let asked = try #require(try home.profile(on: a).decisions?.first)
        #expect(asked.hasPrefix("the last save lacks over half of what there was"), "\(asked)")
        home.play(#"{"coins":120,"level":5,"best":90,"name":""}"#, at: path, on: a)
        home.expect(#"{"coins":120,"level":5,"best":90,"name":""}"#, at: path, on: [a])
        #expect(try home.profile(on: a).remark?.contains("guessed") == true)
        let words = try #require(try home.profile(on: a).decisions?.first)
        #expect(
            words.hasPrefix(
                "an earlier save lacks over half of what there was (/best from 90 to 0, /level from 5 to 0); it was set "
                    + "aside, and the game seems to have gone on since from what you had. To put that save back on every "
                    + "machine all the same: hearth restore game --backup ")
                && words.hasSuffix(
                    "\nTo let the game's last save stand for everything instead: hearth accept game\n"
                        + "If neither is wanted, settle it with: hearth keep game"),
            "\(words)")
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: a).decisions?.first == words)
        // What accept would do was shown for another save.
        let late = try refusal(AcceptRequest(profile: "game", question: try #require(shown).question), home, a)
        #expect(late.hasPrefix("something else is asked about game by now"), "\(late)")
        // What keep settles away is the earlier save.
        let kept = try home.reply(to: PreviewRequest(KeepRequest(profile: "game")), on: a).message(PreviewReport.self)
        #expect(kept?.changes.contains { $0.place == "/best" } == true)
        _ = try home.reply(to: KeepRequest(profile: "game"), on: a)
        #expect(try home.profile(on: a).decisions == nil)
    }

    /// The question is about what the save lost beside an earlier state, and which one that is was guessed.
    @Test func aGuessBesideAQuestionIsSaidUntilThatIsAnswered() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.play(save(500, 5, 80), at: path, on: a)
        home.expect(save(500, 5, 80), at: path, on: [b])
        home.play(save(110, 5, 70), at: path, on: b)
        #expect(try home.profile(on: b).decisions?.count == 1)
        let remark = try home.profile(on: b).remark ?? ""
        #expect(remark.hasPrefix("which state the game had read before its last save was guessed"), "\(remark)")
        _ = try home.reply(to: KeepRequest(profile: "game"), on: b)
        #expect(try home.profile(on: b).remark == nil)
        // Beside the newest state a question says all there is to say.
        home.play(save(480, 5, 60), at: path, on: b)
        #expect(try home.profile(on: b).decisions?.count == 1)
        #expect(try home.profile(on: b).remark == nil)
    }

    @Test func playThatAResetPutAsideIsSaid() throws {
        let (home, a, b) = try household(save(100, 5, 80), rules)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        _ = try home.reply(to: ResetRequest(profile: "game", scope: nil), on: a)
        home.household.run(milliseconds: 1_000)
        // The game on the other machine saves what it had read before.
        home.play(save(150, 6, 80), at: path, on: b)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        home.play(save(160, 7, 80), at: path, on: b)
        let remark = try home.profile(on: b).remark ?? ""
        #expect(
            remark.contains("progress made apart from a reset or restore was put aside (")
                && remark.contains("); it is in the backups"), "\(remark)")
    }

    @Test func whatWasNoSaveIsSaid() throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.household.save("", to: path, on: a)
        home.household.run(milliseconds: 1_000)
        #expect(
            try home.profile(on: a).reason
                == "\(path) is empty; the last good state is put back 30 s after the last write, while no game of it "
                + "runs, and the file there is kept; at once with: hearth restore game --to \(path)")
        home.household.run(milliseconds: 40_000)
        let remark = try home.profile(on: a).remark ?? ""
        #expect(
            remark.hasPrefix(
                "the file at \(path) was empty, and the last good state was put back; that file is kept at "),
            "\(remark)")
        guard let report = try home.reply(to: KeepRequest(profile: "game"), on: a).message(ProfileAnswer.self)?.profile
        else {
            throw Home.Failure("?")
        }
        #expect(report.remark == nil && report.reason == nil)
    }
}
