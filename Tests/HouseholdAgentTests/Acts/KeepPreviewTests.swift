import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// What `keep` shows before it answers: what of a save then does not count, and where that save stays.
@Suite struct KeepPreviewTests {
    private let path = "/saves/player.json"
    private let rules = [("/coins", MergeRule(.counter)), ("/best", MergeRule(.max))]

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let (home, a, b) = try Home.sharing(save(100, 80), at: path, rules: rules, seed: 41)
        home.play(save(100, 80), at: path, on: b)
        return (home, a, b)
    }

    private func save(_ coins: Int, _ best: Int, name: String = "Ada") -> String {
        #"{"coins":\#(coins),"best":\#(best),"name":"\#(name)"}"#
    }

    private func preview(_ home: Home, _ device: SimulatedDevice) throws -> PreviewReport {
        let reply = try home.reply(to: PreviewRequest(KeepRequest(profile: "game")), on: device)
        return try #require(reply.message(PreviewReport.self), "\(reply)")
    }

    private func words(_ preview: PreviewReport) -> [String] {
        preview.changes.map { "\($0.place) \($0.old ?? "-") \($0.new ?? "-")" }
    }

    /// A save that was set aside: the places that accepting it would change, and the backup that holds it. Nothing is
    /// answered by looking.
    @Test func aSaveThatWasSetAsideIsShown() throws {
        let (home, a, _) = try household()
        home.play(save(100, 70), at: path, on: a)
        let asked = try #require(try home.profile(on: a).decisions)
        let shown = try preview(home, a)
        #expect(shown.keeps?.question == .save && shown.keeps?.staysApart == false)
        #expect(words(shown) == ["/best 80 70"] && shown.more == 0)
        let accepted = try home.reply(to: PreviewRequest(AcceptRequest(profile: "game")), on: a).message(
            PreviewReport.self)
        #expect(accepted?.changes == shown.changes && accepted?.keeps == nil)
        #expect(try home.profile(on: a).decisions == asked)
        _ = try home.reply(to: KeepRequest(profile: shown.id), on: a)
        let backup = try #require(shown.keeps?.backups.last)
        let listed = try home.reply(to: BackupsRequest(profile: "game"), on: a).message(BackupList.self)
        #expect(listed?.backups.contains { $0.name == backup } == true)
        _ = try home.reply(to: RestoreBackupRequest(profile: "game", backup: backup), on: a)
        #expect(home.household.text(of: path, on: a)?.contains(#""best":70"#) == true, "it is the save")
    }

    /// The game has gone on since: what is shown is read from the backup of the save.
    @Test func anEarlierSaveIsShownFromItsBackup() throws {
        let (home, _, b) = try household()
        home.play(#"{"coins":100,"best":80,"name":"Ada","level":5,"map":"moss"}"#, at: path, on: b)
        home.play(#"{"coins":100}"#, at: path, on: b)
        let restored = try #require(home.household.text(of: path, on: b))
        home.play(restored.replacing("Ada", with: "Bo").replacing("100", with: "120"), at: path, on: b)
        let asked = try home.profile(on: b).decisions
        #expect(asked?.first?.hasPrefix("an earlier save ") == true, "\(asked ?? [])")
        let shown = try preview(home, b)
        #expect(words(shown) == ["/best 80 -", "/coins 120 100", "/level 5 -", "/map \"moss\" -", "/name \"Bo\" -"])
        #expect(shown.keeps?.question == .save && shown.keeps?.backups.count == 1, "\(shown)")
    }

    /// Amounts of a purse: neither of the two values counts that the other answers would give.
    @Test func bothAmountsOfAPurseAreShown() throws {
        let (home, a, b) = try household()
        home.play(save(500, 80), at: path, on: a)
        home.play(save(200, 80), at: path, on: b)
        let shown = try preview(home, b)
        #expect(words(shown) == ["/coins 500 200", "/coins 500 600"])
        #expect(shown.keeps?.question == .amounts && shown.keeps?.backups == [])
    }

    /// The game saves again while the player reads what `keep` or `accept` would do: the answer is for the question that
    /// was shown, and settles no other one.
    @Test(arguments: [true, false]) func anAnswerIsForTheQuestionThatWasShown(isKept: Bool) throws {
        let (home, a, b) = try household()
        home.play(save(100, 70), at: path, on: b)
        let shown = try preview(home, b)
        home.play(save(101, 80), at: path, on: b)
        home.play(save(501, 80), at: path, on: a)
        home.play(save(201, 80), at: path, on: b)
        let asked = try home.profile(on: b).decisions
        let answer: any AgentRequest =
            isKept
            ? KeepRequest(profile: "game", question: shown.question)
            : AcceptRequest(profile: "game", question: shown.question)
        let reply = try home.reply(to: answer, on: b)
        #expect(reply.failure?.hasPrefix("something else is asked about game by now; look at it again") == true)
        #expect(try home.profile(on: b).decisions == asked)
        let again = try preview(home, b)
        #expect(again.question != shown.question && again.question != 0)
        _ = try home.reply(to: KeepRequest(profile: "game", question: again.question), on: b)
        #expect(try home.profile(on: b).decisions != asked)
    }

    /// A remark is read and no question: nothing is shown. Where nothing is said at all, the refusal is that of `keep`.
    @Test func aRemarkAloneNeedsNoAnswer() throws {
        let (home, a, _) = try household()
        #expect(
            try home.reply(to: PreviewRequest(KeepRequest(profile: "game")), on: a).failure
                == "nothing is asked or said about the saves of game")
        home.play(#"{"coins":120,"best":70,"name":"Bo","level":6}"#, at: path, on: a)
        #expect(try home.profile(on: a).remark != nil && home.profile(on: a).decisions == nil)
        let shown = try preview(home, a)
        #expect(shown.changes == [] && shown.keeps?.isQuestion == false && shown.question == 0)
        // The answer to a remark settles it while no question is open, as its reader saw.
        let other = try home.reply(to: KeepRequest(profile: "game", question: 5), on: a)
        #expect(other.failure?.hasPrefix("something else is asked") == true)
        #expect(try home.profile(on: a).remark != nil)
        #expect(try home.reply(to: KeepRequest(profile: "game", question: 0), on: a).failure == nil)
        #expect(try home.profile(on: a).remark == nil)
    }
}

extension AgentReply {
    /// The sentence of a refusal.
    fileprivate var failure: String? { if case .failure(_, let why) = self { why } else { nil } }
}
