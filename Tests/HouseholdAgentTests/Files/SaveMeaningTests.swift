import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

/// What saves mean, between whole devices: judged by both files and by what status says.
@Suite struct SaveMeaningTests {
    private let path = "/saves/player.json"

    private func household(
        _ start: String, _ rules: [(String, MergeRule)]
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let (home, a, b) = try Home.sharing(start, at: path, rules: rules, seed: 21)
        // Both files are the very same, so that bytes can be compared.
        home.play(start, at: path, on: b)
        return (home, a, b)
    }

    private func done(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws {
        let reply = try home.reply(to: request, on: device)
        guard case .response(is ProfileAnswer) = reply else { throw Home.Failure("not done: \(reply)") }
    }

    private let purse: [(String, MergeRule)] = [("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))]

    // MARK: Play after an act of the player

    @Test func playAfterAResetWasUndoneCounts() throws {
        let (home, a, b) = try household(#"{"coins":100,"level":5}"#, purse)
        try done(ResetRequest(profile: "game", scope: nil), home, a)
        home.household.run(milliseconds: 5_000)
        try done(UndoRequest(profile: "game", step: nil, force: false), home, a)
        home.household.run(milliseconds: 5_000)
        for coins in [105, 106, 110] {
            home.play(#"{"coins":\#(coins),"level":5}"#, at: path, on: a)
            home.expect(#"{"coins":\#(coins),"level":5}"#, at: path, on: [a, b])
        }
        #expect(try home.profile(on: a).question == nil)
    }

    @Test func playAfterARestoreCountsOnTheOtherDevice() throws {
        let (home, a, b) = try household(#"{"coins":100,"level":5}"#, purse)
        home.play(#"{"coins":150,"level":6}"#, at: path, on: a)
        home.expect(#"{"coins":150,"level":6}"#, at: path, on: [b])
        guard
            let backups = try home.reply(to: BackupsRequest(profile: "game"), on: a).message(BackupList.self)?.backups,
            let backup = backups.last
        else {
            throw Home.Failure("no backup")
        }
        try done(RestoreBackupRequest(profile: "game", backup: backup.name), home, a)
        home.expect(#"{"coins":100,"level":5}"#, at: path, on: [a, b])
        home.play(#"{"coins":107,"level":5}"#, at: path, on: b)
        home.expect(#"{"coins":107,"level":5}"#, at: path, on: [a, b])
    }

    @Test func playAfterAcceptCounts() throws {
        let (home, a, b) = try household(#"{"coins":100,"level":5}"#, purse)
        home.play(#"{"coins":0,"level":1}"#, at: path, on: a)
        home.expect(#"{"coins":100,"level":5}"#, at: path, on: [a, b])
        #expect(try home.profile(on: a).question?.contains("hearth accept game") == true)
        try done(AcceptRequest(profile: "game", apart: false), home, a)
        home.expect(#"{"coins":0,"level":1}"#, at: path, on: [a, b])
        #expect(try home.profile(on: a).question == nil)
        for (device, coins) in [(a, 3), (a, 4), (b, 9)] {
            home.play(#"{"coins":\#(coins),"level":1}"#, at: path, on: device)
            home.expect(#"{"coins":\#(coins),"level":1}"#, at: path, on: [a, b])
        }
    }

    /// What was never there, in something that was there and is gone, waits for the answer: in no file, also after the
    /// game has saved on, or was restarted, and whatever the rules inside are.
    @Test(arguments: [true, false]) func whatAQuestionLeavesOutIsInNoFile(isAccepted: Bool) throws {
        let rules = purse + [("/bag/*/n", MergeRule(.counter)), ("/bag/*/best", MergeRule(.max))]
        let (home, a, b) = try household(#"{"coins":100,"level":5,"bag":{"sword":{"n":1}}}"#, rules)
        let rest = #"{"coins":90,"level":5}"#
        home.play(rest, at: path, on: a)
        home.expect(rest, at: path, on: [a, b])
        let asked = #"{"coins":0,"level":1,"bag":{"shield":{"best":3,"n":1,"name":"oak"}}}"#
        home.play(asked, at: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(rest, at: path, on: [a, b])
        #expect(try home.profile(on: a).question != nil)
        try done(isAccepted ? AcceptRequest(profile: "game", apart: false) : KeepRequest(profile: "game"), home, a)
        home.expect(isAccepted ? asked : rest, at: path, on: [a, b])
        home.play(#"{"coins":0,"level":2,"bag":{"shield":{"best":3,"n":1,"name":"oak"}}}"#, at: path, on: a)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a) == home.household.text(of: path, on: b))
    }

    // MARK: Played, and one place lowered

    @Test func playThatLoweredAPlaceCountsAndIsNamed() throws {
        let start = #"{"level":3,"best":90,"coins":500,"friends":["x"],"items":["rope"],"won":false,"theme":"dark"}"#
        let rules: [(String, MergeRule)] = [
            ("/level", MergeRule(.max)), ("/best", MergeRule(.max)), ("/coins", MergeRule(.counter)),
            ("/friends", MergeRule(.set)), ("/items", MergeRule(.union)), ("/won", MergeRule(.flag)),
        ]
        let (home, a, b) = try household(start, rules)
        func save(_ best: Int, _ coins: Int) -> String {
            #"{"level":4,"best":\#(best),"coins":\#(coins),"friends":["x","y"],"items":["rope","key"],"won":true,"theme":"light"}"#
        }
        home.play(save(80, 420), at: path, on: a)
        home.expect(save(90, 420), at: path, on: [a, b])
        let report = try home.profile(on: a)
        #expect(report.question == nil)
        #expect(report.remark?.contains("/best from 90 to 80") == true, "\(report)")
        // The files go on together, and the remark stays until somebody has read it.
        home.play(save(90, 425), at: path, on: a)
        home.expect(save(90, 425), at: path, on: [a, b])
        #expect(try home.profile(on: a).remark?.contains("/best from 90 to 80") == true)
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: a).remark?.contains("/best from 90 to 80") == true)
        try done(KeepRequest(profile: "game"), home, a)
        #expect(try home.profile(on: a).remark == nil)
    }

    // MARK: A purse of which nobody can tell

    @Test(arguments: ["read", "apart", "keep"]) func aPurseThatNobodyCanTellIsAsked(answer: String) throws {
        let (home, a, b) = try household(#"{"coins":100,"level":5}"#, purse)
        home.play(#"{"coins":500,"level":5}"#, at: path, on: a)
        home.expect(#"{"coins":500,"level":5}"#, at: path, on: [b])
        home.play(#"{"coins":200,"level":5}"#, at: path, on: b)
        home.expect(#"{"coins":500,"level":5}"#, at: path, on: [a, b])
        let question = try #require(try home.profile(on: b).question)
        #expect(question.contains("-300") && question.contains("+100"), "\(question)")
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: b).question == question)
        switch answer {
        case "read": try done(AcceptRequest(profile: "game", apart: false), home, b)
        case "apart": try done(AcceptRequest(profile: "game", apart: true), home, b)
        default: try done(KeepRequest(profile: "game"), home, b)
        }
        let coins = ["read": 200, "apart": 600, "keep": 500][answer]!
        home.expect(#"{"coins":\#(coins),"level":5}"#, at: path, on: [a, b])
        #expect(try home.profile(on: b).question == nil)
    }

    /// The game that is asked about goes on from its memory: what it earns then counts, and nothing is asked again.
    @Test func playThatGoesOnFromAHeldSaveCounts() throws {
        let (home, a, b) = try household(#"{"coins":100,"level":5}"#, purse)
        home.play(#"{"coins":500,"level":5}"#, at: path, on: a)
        home.expect(#"{"coins":500,"level":5}"#, at: path, on: [b])
        home.play(#"{"coins":200,"level":5}"#, at: path, on: b)
        let question = try home.profile(on: b).question
        home.play(#"{"coins":204,"level":5}"#, at: path, on: b)
        home.expect(#"{"coins":504,"level":5}"#, at: path, on: [a, b])
        #expect(try home.profile(on: b).question == question)
        try done(AcceptRequest(profile: "game", apart: false), home, b)
        home.expect(#"{"coins":204,"level":5}"#, at: path, on: [a, b])
    }

    /// The game reads what was put in the place of the save that is asked about, and goes on from there: that counts, and
    /// the answer is no `accept` any more, which would be about the last save. Both commands that are named work.
    @Test(arguments: [true, false]) func playThatGoesOnFromTheFileOvertakesTheQuestion(isPutBack: Bool) throws {
        let (home, a, b) = try household(#"{"coins":100,"level":5,"a":1,"b":2,"c":3}"#, purse)
        home.play(#"{"coins":100,"level":3}"#, at: path, on: a)
        home.expect(#"{"coins":100,"level":5,"a":1,"b":2,"c":3}"#, at: path, on: [a, b])
        #expect(try home.profile(on: a).question?.contains("hearth accept game") == true)
        home.play(#"{"coins":110,"level":5,"a":1,"b":2,"c":3}"#, at: path, on: a)
        home.expect(#"{"coins":110,"level":5,"a":1,"b":2,"c":3}"#, at: path, on: [a, b])
        let question = try #require(try home.profile(on: a).question)
        #expect(!question.contains("hearth accept") && question.contains("hearth keep game"))
        guard case .failure(_, let why) = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: a) else {
            throw Home.Failure("accepted")
        }
        #expect(why == question)
        home.expect(#"{"coins":110,"level":5,"a":1,"b":2,"c":3}"#, at: path, on: [a, b])
        guard isPutBack else {
            try done(KeepRequest(profile: "game"), home, a)
            home.expect(#"{"coins":110,"level":5,"a":1,"b":2,"c":3}"#, at: path, on: [a, b])
            return
        }
        let command = try #require(question.split(separator: "\n").first?.split(separator: " ").suffix(5))
        #expect(command.dropLast() == ["hearth", "restore", "game", "--backup"])
        try done(RestoreBackupRequest(profile: "game", backup: String(command.last!)), home, a)
        home.expect(#"{"coins":100,"level":3}"#, at: path, on: [a, b])
        #expect(try home.profile(on: a).question == nil)
    }

    /// A save is not accepted, and the next one fits it: whether its game goes on from there is a guess, and said, after a
    /// restart as well.
    @Test func playThatGoesOnFromASaveThatWasNotAcceptedIsAGuess() throws {
        let (home, a, b) = try household(#"{"coins":110,"level":5,"a":1,"b":2,"c":3}"#, purse)
        home.play(#"{"coins":100,"level":3}"#, at: path, on: a)
        try done(KeepRequest(profile: "game"), home, a)
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: a).remark == nil)
        home.play(#"{"coins":105,"level":3,"d":4}"#, at: path, on: a)
        home.expect(#"{"coins":115,"level":5,"d":4,"a":1,"b":2,"c":3}"#, at: path, on: [a])
        home.expect(#"{"coins":115,"level":5,"a":1,"b":2,"c":3,"d":4}"#, at: path, on: [b])
        #expect(try home.profile(on: a).remark?.contains("guessed") == true)
        try done(KeepRequest(profile: "game"), home, a)
        home.play(#"{"coins":120,"level":5,"d":4,"a":1,"b":2,"c":3}"#, at: path, on: a)
        #expect(try home.profile(on: a).remark == nil)
    }

    @Test func anOlderCopyIsAsked() throws {
        let (home, a, b) = try household(#"{"coins":100,"level":5}"#, purse)
        home.play(#"{"coins":120,"level":6}"#, at: path, on: a)
        home.play(#"{"coins":150,"level":7}"#, at: path, on: a)
        home.play(#"{"coins":100,"level":5}"#, at: path, on: a)
        home.expect(#"{"coins":150,"level":7}"#, at: path, on: [a, b])
        #expect(try home.profile(on: a).question?.contains("at an earlier time") == true)
    }

    // MARK: One sum everywhere

    /// A purse in debt shows 0; what is earned repays at once, in the file of who earned it as well.
    @Test func earningsRepayInEveryFile() throws {
        let (home, a, b) = try household(#"{"coins":100}"#, [("/coins", MergeRule(.counter))])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.play(#"{"coins":20}"#, at: path, on: a)
        home.play(#"{"coins":10}"#, at: path, on: b)
        home.household.part(a, b, false)
        home.expect(#"{"coins":0}"#, at: path, on: [a, b])
        // Games that are known to have read the file go on from 0.
        for (device, coins, shown) in [(a, 30, 0), (b, 60, 20), (a, 25, 25)] {
            let game = home.household.ask(PlayRequest(profile: "game", game: "g", since: nil), on: device)
            home.household.run(milliseconds: 6_000)
            home.play(#"{"coins":\#(coins)}"#, at: path, on: device)
            home.household.abandon(game, on: device)
            home.expect(#"{"coins":\#(shown)}"#, at: path, on: [a, b])
        }
    }

    // MARK: Whole values

    @Test func whoSpendsOnHisOwnMachineIsNotThrownBack() throws {
        let rules = [("/hero", MergeRule(.furthest, by: ["level", "xp"]))]
        func save(_ xp: Int) -> String { #"{"hero":{"level":1,"xp":\#(xp)}}"# }
        let (home, a, b) = try household(save(0), rules)
        home.play(save(2), at: path, on: a)
        home.expect(save(2), at: path, on: [b])
        home.play(save(1), at: path, on: b)
        home.expect(save(1), at: path, on: [a, b])
        home.play(save(0), at: path, on: b)
        home.expect(save(0), at: path, on: [a, b])
    }

    @Test(arguments: [0, 1]) func whoReadADecisionReplacesItWhosesoeverItWas(writer: Int) throws {
        let (home, a, b) = try household(#"{"ending":"none"}"#, [("/ending", MergeRule(.choice))])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.play(#"{"ending":"red"}"#, at: path, on: a)
        home.play(#"{"ending":"blue"}"#, at: path, on: b)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        for device in [a, b] {
            guard
                let open = try home.reply(to: ConflictsRequest(profile: nil), on: device).message(ConflictList.self)?
                    .conflicts,
                let red = open[0].candidates.firstIndex(where: { $0.value == #""red""# })
            else { throw Home.Failure("nothing is open") }
            try done(ResolveRequest(profile: "game", pointer: "/ending", choice: red + 1), home, device)
        }
        home.household.part(a, b, false)
        home.expect(#"{"ending":"red"}"#, at: path, on: [a, b])
        home.household.run(milliseconds: 60_000)
        home.play(#"{"ending":"green"}"#, at: path, on: [a, b][writer])
        home.expect(#"{"ending":"green"}"#, at: path, on: [a, b])
        for device in [a, b] {
            let list = try home.reply(to: ConflictsRequest(profile: nil), on: device).message(ConflictList.self)
            #expect(list?.conflicts.isEmpty == true, "on \(device.name)")
        }
    }
}

extension ProfileReport {
    /// What waits for the player.
    fileprivate var question: String? { decisions?.first }
}
