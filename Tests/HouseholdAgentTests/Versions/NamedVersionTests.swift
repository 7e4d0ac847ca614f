import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import HouseholdAgent

/// Under rules that name a version, everything that is said and asked is what it is under rules that name none. The places
/// of such a save are stored with the version in front of them.
@Suite struct NamedVersionTests {
    private let path = "/saves/player.json"
    private let entries: [(String, MergeRule)] = [
        ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/best", MergeRule(.max)),
    ]

    private func rules(_ entries: [(String, MergeRule)]) throws -> RuleSet {
        try RuleSet(
            entries.map { RuleSet.Entry(try RulePattern(parsing: $0.0), $0.1) }, version: "14", versionAt: "/version")
    }

    private func save(_ coins: Int, _ level: Int = 5, _ name: String = "Ada") -> String {
        #"{"version":"14","coins":\#(coins),"level":\#(level),"best":80,"name":"\#(name)"}"#
    }

    /// The laptop and the deck have a save.
    private func household(_ text: String) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 61)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, text, rules: rules(entries), on: a)
        try home.restore(path, on: b)
        home.play(text, at: path, on: b)
        return (home, a, b)
    }

    private func refusal(_ act: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> String {
        guard case .failure(_, let why) = try home.reply(to: act, on: device) else { throw Home.Failure("it was done") }
        return why
    }

    private func places(_ changes: [ChangeReport]?) -> [String] {
        (changes ?? []).map { "\($0.place) \($0.old ?? "nothing") → \($0.new ?? "nothing")" }
    }

    /// The preview of a join names what the player is about to lose, on either side.
    @Test(arguments: [false, true]) func aPreviewOfAJoinNamesWhatIsReplaced(isKept: Bool) throws {
        let home = Home(seed: 62)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        let mine = #"{"version":"14","coins":9,"galaxies":12}"#
        if isKept {
            try home.add(path, mine, rules: rules(entries), on: b)
        } else {
            home.household.save(mine, to: path, on: b)
        }
        home.household.run(milliseconds: 5_000)
        try home.add(path, #"{"version":"14","coins":9,"galaxies":0,"stars":1}"#, rules: rules(entries), on: a)
        home.household.run(milliseconds: 5_000)
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        let shared = try #require(try home.status(on: b).profiles.first { $0.file == nil })
        let request = PreviewRequest(RestoreRequest(profile: shared.id, path: path))
        let preview = try #require(try home.reply(to: request, on: b).message(PreviewReport.self))
        #expect(places(preview.replaced) == ["/galaxies 12 → 0"])
        #expect(preview.isUnlike == nil)
    }

    /// Saves of most games state a version, so that says nothing of whether two are of one game.
    @Test func savesOfTwoGamesAreTold() throws {
        let (home, a, b) = try household(save(9))
        _ = a
        let other = "/saves/other.json"
        home.household.save(#"{"version":"14","towers":3}"#, to: other, on: b)
        let id = try home.profile(on: b).id
        _ = try home.reply(to: RemoveRequest(profile: id), on: b)
        let request = PreviewRequest(RestoreRequest(profile: id, path: other))
        let preview = try #require(try home.reply(to: request, on: b).message(PreviewReport.self))
        #expect(preview.isUnlike == true)
        #expect(places(preview.changes) == ["/towers nothing → 3"])
    }

    @Test func whatAGameChangedIsCounted() throws {
        let (home, a, _) = try household(save(100))
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: a)
        _ = home.household.run(until: { a.replies[play] != nil }, within: 5_000)
        home.household.save(save(120, 6), to: path, on: a)
        home.household.run(milliseconds: 1_000)
        let end = home.household.ask(EndPlayRequest(play: play), on: a)
        _ = home.household.run(until: { a.replies[end] != nil }, within: 6_000)
        #expect(a.replies[end]?.last?.message(PlayedReport.self)?.changed == 2)
    }

    /// Nothing empty beats data: a save that states its version and nothing else is empty.
    @Test func whereASaveBeganIsNotTakenBack() throws {
        let (home, a, b) = try household(save(100))
        for force in [false, true] {
            let why = try refusal(UndoRequest(profile: "game", step: 1, force: force), home, b)
            #expect(why.contains("nothing would be left"), "\(why)")
        }
        home.expect(save(100), at: path, on: [a, b])
    }

    /// That a save states its version still does not make it more than half of one.
    @Test func aSaveThatStatesItsVersionAloneIsAsked() throws {
        let home = Home(seed: 63)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let text = #"{"version":"14","data":"0123456789"}"#
        try home.add(path, text, rules: rules([]), on: a)
        try home.restore(path, on: b)
        home.play(#"{"version":"14"}"#, at: path, on: a)
        #expect(try home.profile(on: a).decisions?.count == 1)
        home.expect(text, at: path, on: [b])
    }

    /// Three values that became zero beside a version are as much of a question as four of which three did.
    @Test func aSaveOfZerosIsAsked() throws {
        let home = Home(seed: 65)
        let a = try home.device("laptop")
        try home.add(path, #"{"version":"14","a":5,"b":6,"c":7}"#, rules: rules([]), on: a)
        home.play(#"{"version":"14","a":0,"b":0,"c":7}"#, at: path, on: a)
        #expect(try home.profile(on: a).decisions == nil)
        home.play(#"{"version":"14","a":5,"b":6,"c":7}"#, at: path, on: a)
        home.play(#"{"version":"14","a":0,"b":0,"c":0}"#, at: path, on: a)
        #expect(try home.profile(on: a).decisions?.count == 1)
    }

    /// An undo takes back the order of a list with the rest of a step.
    @Test func theOrderOfAListIsTakenBack() throws {
        let home = Home(seed: 66)
        let a = try home.device("laptop")
        func text(_ ids: [String], _ coins: Int) -> String {
            let items = ids.map { #"{"id":"\#($0)","n":1}"# }.joined(separator: ",")
            return #"{"version":"14","coins":\#(coins),"items":[\#(items)]}"#
        }
        let entries = entries + [("/items[id]/n", MergeRule(.counter))]
        try home.add(path, text(["a", "b", "c"], 100), rules: rules(entries), on: a)
        home.play(text(["c", "a", "b"], 110), at: path, on: a)
        _ = try home.reply(to: UndoRequest(profile: "game", step: nil, force: false), on: a)
        home.expect(text(["a", "b", "c"], 100), at: path, on: [a])
    }

    /// Where every place but the version is a device's own, no file is written that states the version alone.
    @Test func aVersionAloneIsNotWritten() throws {
        let home = Home(seed: 64)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let text = #"{"version":"14","volume":3}"#
        try home.add(path, text, rules: rules([("/volume", MergeRule(.local))]), on: a)
        let restored = home.household.ask(RestoreRequest(profile: "game", path: path), on: b)
        _ = home.household.run(until: { b.replies[restored] != nil })
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: b) == nil)
        #expect(try home.profile(on: b).reason?.contains("nothing of this save is shared") == true)
    }

    /// No file loses its version by a reset, so the preview of one does not say that.
    @Test func aPreviewOfAResetLeavesTheVersionOut() throws {
        let (home, a, b) = try household(save(100))
        let request = PreviewRequest(ResetRequest(profile: "game", scope: nil))
        let preview = try #require(try home.reply(to: request, on: a).message(PreviewReport.self))
        #expect(preview.changes.map(\.place) == ["/best", "/coins", "/level", "/name"])
        _ = try home.reply(to: ResetRequest(profile: "game", scope: nil), on: a)
        home.household.run(milliseconds: 10_000)
        for device in [a, b] {
            #expect(home.household.text(of: path, on: device)?.contains(#""version":"14""#) == true)
        }
    }

    @Test func whatAWrongGuessLosesIsNamed() throws {
        let (home, a, b) = try household(save(100))
        home.play(save(140), at: path, on: a)
        home.expect(save(140), at: path, on: [b])
        home.play(save(139), at: path, on: b)
        home.expect(save(139), at: path, on: [a, b])
        #expect(try home.profile(on: b).remark?.contains("(if that is wrong, something was lost at /coins)") == true)
    }

    @Test func aValueThatItsRuleCannotReadIsNamed() throws {
        let (home, a, b) = try household(save(100))
        home.play(save(100).replacing(":100", with: #":"plenty""#), at: path, on: a)
        #expect(try home.profile(on: a).unreadable.first?.hasPrefix("/coins: counter takes a number") == true)
        home.play(save(130), at: path, on: b)
        #expect(try home.profile(on: a).unreadable.first?.hasPrefix("/coins: counter takes a number") == true)
        home.play(save(150), at: path, on: a)
        #expect(try home.profile(on: a).unreadable == [])
    }
}
