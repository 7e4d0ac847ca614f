import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Remarks.
extension QuestionWordsTests {
    @Test func whatTheGameLoweredIsNamed() throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.play(#"{"coins":120,"level":6,"best":70,"name":"Bo"}"#, at: path, on: a)
        #expect(
            try home.profile(on: a).remark
                == "the game changed /best from 80 to 70, and the rule max keeps what was there; if it means that, "
                + "give the place another rule")
        #expect(try home.profile(on: a).decisions == nil)
    }

    /// A second save that lowers another place: both stay named, also over a restart, until they are settled.
    @Test func whatTwoSavesLoweredIsNamed() throws {
        let (home, a, _) = try household(save(100, 5, 80), rules)
        home.play(#"{"coins":120,"level":6,"best":70,"name":"Bo"}"#, at: path, on: a)
        home.play(#"{"coins":130,"level":3,"best":90,"name":"Bo","x":1,"y":2}"#, at: path, on: a)
        let lowered =
            "the game changed /best from 80 to 70, and the rule max keeps what was there, /level from 6 to 3, and the "
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
        #expect(
            try home.profile(on: b).remarks == [
                "Hearth guessed what the game had loaded before its last save; check /coins\n"
                    + "what it changed, and when: hearth history game\nto take a step back: hearth undo game NUMBER"
            ])
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
        // Had the game read the newest state, 390 coins were spent, where 10 are counted as earned.
        let short = try home.profile(on: b).remarks
        #expect(
            short == [
                "Hearth guessed what the game had loaded before its last save; check /coins\n"
                    + "what it changed, and when: hearth history game\nto take a step back: hearth undo game NUMBER",
                "Hearth guessed what the game had loaded before a save; what that save holds at /name does not "
                    + "count, and the save is in the backups\nto see them: hearth backups game",
            ])
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
            remark.contains("progress made apart from a reset, a restore or an undo was put aside (")
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
