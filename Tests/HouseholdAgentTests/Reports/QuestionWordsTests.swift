import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Every sentence by which status asks about a save or tells of one, word for word, as it comes about in a household;
/// and what `accept` and `keep` say where there is nothing to answer.
@Suite struct QuestionWordsTests {
    let path = "/saves/player.json"

    func household(
        _ start: String, _ rules: [(String, MergeRule)]
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let (home, a, b) = try Home.sharing(start, at: path, rules: rules, seed: 33)
        home.play(start, at: path, on: b)
        return (home, a, b)
    }

    func refusal(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> String {
        guard case .failure(.failed, let why) = try home.reply(to: request, on: device) else { return "" }
        return why
    }

    var rules: [(String, MergeRule)] {
        [("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/best", MergeRule(.max))]
    }

    func save(_ coins: Int, _ level: Int, _ best: Int) -> String {
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
                "the last save \(doubt) (\(lowered)); it is set aside, and the file shows what you had, "
                    + "with what the save adds. "
                    + "If the save was meant, let it count with: hearth accept game\n"
                    + "If not, settle it with: hearth keep game"
            ], "\(decisions)")
        guard let answer = try home.reply(to: KeepRequest(profile: "game"), on: a).message(ProfileAnswer.self) else {
            throw Home.Failure("not kept")
        }
        let note = try #require(answer.note)
        #expect(
            note.hasPrefix("the save that was asked about is among the backups, until newer ones take its place; /")
                && note.contains(" stays "),
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
            note
                == "the save that was asked about is among the backups, until newer ones take its place; /l1 stays 1, /l2 stays 2, /l3 stays 3, "
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
}
