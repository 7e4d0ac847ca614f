import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// What `keep` shows before it answers: what of a save then does not count, and where that save stays.
@Suite struct KeepPreviewTests {
    private let path = "/saves/player.json"
    private let rules = [("/coins", MergeRule(.counter)), ("/best", MergeRule(.max))]

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 41)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, save(100, 80), rules: home.rules(rules), on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        play(save(100, 80), home, b)
        return (home, a, b)
    }

    private func save(_ coins: Int, _ best: Int, name: String = "Ada") -> String {
        #"{"coins":\#(coins),"best":\#(best),"name":"\#(name)"}"#
    }

    private func play(_ text: String, _ home: Home, _ device: SimulatedDevice) {
        home.household.save(text, to: path, on: device)
        home.household.run(milliseconds: 5_000)
    }

    private func ask(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> AgentReply {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return try #require(device.replies[id]?.last)
    }

    private func report(_ home: Home, _ device: SimulatedDevice) throws -> ProfileReport {
        try #require(try ask(StatusRequest(), home, device).message(StatusReport.self)?.profiles.first)
    }

    private func preview(_ home: Home, _ device: SimulatedDevice) throws -> PreviewReport {
        let reply = try ask(PreviewRequest(KeepRequest(profile: "game")), home, device)
        return try #require(reply.message(PreviewReport.self), "\(reply)")
    }

    private func words(_ preview: PreviewReport) -> [String] {
        preview.changes.map { "\($0.place) \($0.old ?? "-") \($0.new ?? "-")" }
    }

    /// A save that was set aside: the places that accepting it would change, and the backup that holds it. Nothing is
    /// answered by looking.
    @Test func aSaveThatWasSetAsideIsShown() throws {
        let (home, a, _) = try household()
        play(save(100, 70), home, a)
        let asked = try #require(try report(home, a).decisions)
        let shown = try preview(home, a)
        #expect(shown.keeps?.question == .save && shown.keeps?.staysApart == false)
        #expect(words(shown) == ["/best 80 70"] && shown.more == 0)
        let accepted = try ask(PreviewRequest(AcceptRequest(profile: "game")), home, a).message(PreviewReport.self)
        #expect(accepted?.changes == shown.changes && accepted?.keeps == nil)
        #expect(try report(home, a).decisions == asked)
        _ = try ask(KeepRequest(profile: shown.id), home, a)
        let backup = try #require(shown.keeps?.backups.last)
        let listed = try ask(BackupsRequest(profile: "game"), home, a).message(BackupList.self)
        #expect(listed?.backups.contains { $0.name == backup } == true)
        _ = try ask(RestoreBackupRequest(profile: "game", backup: backup), home, a)
        #expect(home.household.text(of: path, on: a)?.contains(#""best":70"#) == true, "it is the save")
    }

    /// The game has gone on since: what is shown is read from the backup of the save.
    @Test func anEarlierSaveIsShownFromItsBackup() throws {
        let (home, _, b) = try household()
        play(#"{"coins":100,"best":80,"name":"Ada","level":5,"map":"moss"}"#, home, b)
        play(#"{"coins":100}"#, home, b)
        let restored = try #require(home.household.text(of: path, on: b))
        play(restored.replacing("Ada", with: "Bo").replacing("100", with: "120"), home, b)
        let asked = try report(home, b).decisions
        #expect(asked?.first?.hasPrefix("an earlier save ") == true, "\(asked ?? [])")
        let shown = try preview(home, b)
        #expect(words(shown) == ["/best 80 -", "/coins 120 100", "/level 5 -", "/map \"moss\" -", "/name \"Bo\" -"])
        #expect(shown.keeps?.question == .save && shown.keeps?.backups.count == 1, "\(shown)")
    }

    /// Amounts of a purse: neither of the two values counts that the other answers would give.
    @Test func bothAmountsOfAPurseAreShown() throws {
        let (home, a, b) = try household()
        play(save(500, 80), home, a)
        play(save(200, 80), home, b)
        let shown = try preview(home, b)
        #expect(words(shown) == ["/coins 500 200", "/coins 500 600"])
        #expect(shown.keeps?.question == .amounts && shown.keeps?.backups == [])
    }

    /// The game saves again while the player reads what `keep` or `accept` would do: the answer is for the question that
    /// was shown, and settles no other one.
    @Test(arguments: [true, false]) func anAnswerIsForTheQuestionThatWasShown(isKept: Bool) throws {
        let (home, a, b) = try household()
        play(save(100, 70), home, b)
        let shown = try preview(home, b)
        play(save(101, 80), home, b)
        play(save(501, 80), home, a)
        play(save(201, 80), home, b)
        let asked = try report(home, b).decisions
        let answer: any AgentRequest =
            isKept
            ? KeepRequest(profile: "game", question: shown.question)
            : AcceptRequest(profile: "game", question: shown.question)
        let reply = try ask(answer, home, b)
        #expect(reply.failure?.hasPrefix("something else is asked about game by now; look at it again") == true)
        #expect(try report(home, b).decisions == asked)
        let again = try preview(home, b)
        #expect(again.question != shown.question && again.question != 0)
        _ = try ask(KeepRequest(profile: "game", question: again.question), home, b)
        #expect(try report(home, b).decisions != asked)
    }

    /// A remark is read and no question: nothing is shown. Where nothing is said at all, the refusal is that of `keep`.
    @Test func aRemarkAloneNeedsNoAnswer() throws {
        let (home, a, _) = try household()
        #expect(
            try ask(PreviewRequest(KeepRequest(profile: "game")), home, a).failure
                == "nothing is asked or said about the saves of game")
        play(#"{"coins":120,"best":70,"name":"Bo","level":6}"#, home, a)
        #expect(try report(home, a).remark != nil && report(home, a).decisions == nil)
        let shown = try preview(home, a)
        #expect(shown.changes == [] && shown.keeps?.isQuestion == false && shown.question == 0)
        // The answer to a remark settles it while no question is open, as its reader saw.
        let other = try ask(KeepRequest(profile: "game", question: 5), home, a)
        #expect(other.failure?.hasPrefix("something else is asked") == true)
        #expect(try report(home, a).remark != nil)
        #expect(try ask(KeepRequest(profile: "game", question: 0), home, a).failure == nil)
        #expect(try report(home, a).remark == nil)
    }
}

extension AgentReply {
    /// The sentence of a refusal.
    fileprivate var failure: String? { if case .failure(_, let why) = self { why } else { nil } }
}
