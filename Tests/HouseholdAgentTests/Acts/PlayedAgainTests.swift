import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A player goes back to an earlier state, and plays the same stretch again: the save comes by the very values of what was taken
/// back.
@Suite struct PlayedAgainTests {
    private let path = "/saves/player.json"

    /// One more of the game's steps: the day and the time played tell which one it is, the amounts are how it went.
    ///
    /// - Parameter size: The bytes of other content between what changes. Of a large save Hearth holds no older states than
    ///   those that a game may have in memory.
    private func save(day: Int, clicks: Int, cookies: String, size: Int) -> String {
        let rest = String(repeating: "x", count: size)
        return "{\"clicks\":\(clicks),\"cookies\":\"\(cookies)\",\"map\":\"\(rest)\",\"day\":\(day),"
            + "\"played\":\(Double(day) * 60.5)}"
    }

    enum WayBack: CaseIterable {
        case backup, undo
    }

    /// Played by turns, with a system that tells the agents of opened files.
    private func household(seed: UInt64, size: Int = 0) throws -> (
        home: Home, a: SimulatedDevice, b: SimulatedDevice, kept: String
    ) {
        let (home, a, b) = try Home.sharing(
            save(day: 1, clicks: 45_123, cookies: "90001", size: size), at: path,
            rules: [("/clicks", MergeRule(.counter))],
            seed: seed)
        for device in [a, b] { device.programs.tellOpens() }
        play(save(day: 2, clicks: 45_300, cookies: "90102", size: size), home, b)
        play(save(day: 3, clicks: 45_475, cookies: "90411", size: size), home, b)
        play(save(day: 4, clicks: 45_528, cookies: "91202", size: size), home, a)
        let kept = save(day: 5, clicks: 45_584, cookies: "93203", size: size)
        play(kept, home, a)
        play(save(day: 6, clicks: 45_647, cookies: "98304", size: size), home, a)
        return (home, a, b, kept)
    }

    /// A game is started, reads the file, and saves.
    private func play(_ text: String, _ home: Home, _ device: SimulatedDevice) {
        device.programs.noteOpen(of: path)
        home.play(text, at: path, on: device)
    }

    private func goBack(_ back: WayBack, _ home: Home, _ a: SimulatedDevice) throws {
        switch back {
        case .backup:
            let list = try home.reply(to: BackupsRequest(profile: "game"), on: a).message(BackupList.self)
            let stored = try #require(list?.backups.sorted { $0.name < $1.name }.last)
            _ = try home.reply(to: RestoreBackupRequest(profile: "game", backup: stored.name), on: a)
        case .undo: _ = try home.reply(to: UndoRequest(profile: "game", step: nil, force: false), on: a)
        }
    }

    /// Played again on either machine, longer or shorter than before, in a small and in a large save.
    @Test(arguments: WayBack.allCases, [10, 55, 80])
    func whatIsPlayedAgainCounts(_ back: WayBack, earned: Int) throws {
        for (playsOnOther, size) in [(false, 0), (true, 0), (false, 6_000), (true, 6_000)] {
            let (home, a, b, kept) = try household(seed: 31, size: size)
            try goBack(back, home, a)
            home.expect(kept, at: path, on: [a, b])
            home.household.run(milliseconds: 10_000)
            let again = save(day: 6, clicks: 45_584 + earned, cookies: "99404", size: size)
            play(again, home, playsOnOther ? b : a)
            home.expect(again, at: path, on: [a, b])
        }
    }

    /// So it is where another machine has played since as well, and the game has not read that.
    @Test(arguments: WayBack.allCases, [10, 55]) func whatIsPlayedAgainCountsBesideOthers(_ back: WayBack, earned: Int)
        throws
    {
        let (home, a, b, kept) = try household(seed: 33, size: 6_000)
        try goBack(back, home, a)
        home.expect(kept, at: path, on: [a, b])
        home.household.run(milliseconds: 10_000)
        a.programs.noteOpen(of: path)
        home.household.run(milliseconds: 1_000)
        play(save(day: 6, clicks: 45_684, cookies: "95000", size: 6_000), home, b)
        home.household.run(milliseconds: 10_000)
        home.play(save(day: 6, clicks: 45_584 + earned, cookies: "99404", size: 6_000), at: path, on: a)
        home.household.run(milliseconds: 10_000)
        for device in [a, b] {
            let text = home.household.text(of: path, on: device)
            #expect(text?.contains("\"clicks\":\(45_684 + earned),") == true, "\(text?.prefix(60) ?? "")")
        }
    }

    /// A game that ran on while its save was taken back has in memory what was there: that stays taken back, where the game
    /// saves it as it was, or spends of it, or plays on, also if another program has opened the file meanwhile.
    @Test(
        arguments: WayBack.allCases,
        [(6, 45_647, "98304"), (6, 45_600, "98304"), (7, 45_650, "98310")])
    func aGameThatRanOnBringsNothingBack(_ back: WayBack, saved: (day: Int, clicks: Int, cookies: String)) throws {
        for size in [0, 6_000] {
            let (home, a, b, kept) = try household(seed: 32, size: size)
            try goBack(back, home, a)
            home.expect(kept, at: path, on: [a, b])
            play(save(day: saved.day, clicks: saved.clicks, cookies: saved.cookies, size: size), home, a)
            home.household.run(milliseconds: 10_000)
            let earned = saved.clicks - 45_647
            let clicks = 45_584 + (back == .undo ? earned : 0)
            #expect(home.household.text(of: path, on: b)?.contains("\"clicks\":\(clicks),") == true)
        }
    }

    /// The very same play after a way back looks like a game that ran on, which has in memory what was taken back. A program
    /// has opened the file since, so the player is asked; and whichever it was, one answer is right.
    @Test(arguments: WayBack.allCases, [true, false])
    func whatComesToTheSameAgainIsAsked(_ back: WayBack, isPlay: Bool) throws {
        let (home, a, b, kept) = try household(seed: 34)
        try goBack(back, home, a)
        home.expect(kept, at: path, on: [a, b])
        home.household.run(milliseconds: 10_000)
        let again = save(day: 6, clicks: 45_647, cookies: "98304", size: 0)
        play(again, home, a)
        home.household.run(milliseconds: 5_000)
        home.expect(kept, at: path, on: [a, b])
        let report = try home.reply(to: StatusRequest(), on: a).message(StatusReport.self)
        let asked = report?.profiles.first?.decisions ?? []
        #expect(
            asked.count == 1 && asked.first?.contains("took back, or has come to the same again") == true, "\(asked)")
        if isPlay {
            _ = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: a)
        } else {
            _ = try home.reply(to: KeepRequest(profile: "game"), on: a)
        }
        home.expect(isPlay ? again : kept, at: path, on: [a, b])
        let settled = try home.reply(to: StatusRequest(), on: a).message(StatusReport.self)
        #expect(settled?.profiles.first?.decisions == nil)
    }

    /// What another machine plays before there is an answer stays beside the save that is accepted, and is in the preview.
    @Test(arguments: WayBack.allCases) func whatOthersPlayedMeanwhileStays(_ back: WayBack) throws {
        let (home, a, b, kept) = try household(seed: 40)
        try goBack(back, home, a)
        home.expect(kept, at: path, on: [a, b])
        home.household.run(milliseconds: 10_000)
        play(save(day: 6, clicks: 45_647, cookies: "98304", size: 0), home, a)
        home.household.run(milliseconds: 5_000)
        home.expect(kept, at: path, on: [a, b])
        play(save(day: 5, clicks: 45_684, cookies: "93203", size: 0), home, b)
        play(save(day: 5, clicks: 45_694, cookies: "93203", size: 0), home, b)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a)?.contains("\"clicks\":45694,") == true)
        #expect(try home.profile(on: a).decisions?.count == 1)
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: a)
        home.expect(save(day: 6, clicks: 45_647 + 110, cookies: "98304", size: 0), at: path, on: [a, b])
        #expect(try home.profile(on: a).decisions == nil)
    }

    /// Once the game has gone on from what the file shows, the question says so, and never that a save was set aside.
    @Test func theQuestionSaysThatTheGameWentOn() throws {
        let (home, a, b, kept) = try household(seed: 39)
        try goBack(.backup, home, a)
        home.expect(kept, at: path, on: [a, b])
        home.household.run(milliseconds: 10_000)
        play(save(day: 6, clicks: 45_647, cookies: "98304", size: 0), home, a)
        home.household.run(milliseconds: 5_000)
        home.expect(kept, at: path, on: [a, b])
        play(save(day: 6, clicks: 45_590, cookies: "93300", size: 0), home, a)
        home.household.run(milliseconds: 5_000)
        let asked = try home.profile(on: a).decisions ?? []
        #expect(
            asked.count == 1 && asked[0].contains("nobody could tell which; the game has gone on since")
                && asked[0].contains("hearth backups game\n") && !asked[0].contains("set aside"), "\(asked)")
        let gained = try #require(home.household.text(of: path, on: b))
        #expect(gained.contains("\"clicks\":45590,"), "\(gained)")
        _ = try home.reply(to: KeepRequest(profile: "game"), on: a)
        #expect(try home.profile(on: a).decisions == nil)
        #expect(home.household.text(of: path, on: b) == gained)
    }

    /// Where no program has opened the file since, nobody is asked: it can only be what the game had in memory.
    @Test(arguments: WayBack.allCases) func whatWasNotReadIsNotAsked(_ back: WayBack) throws {
        let (home, a, b, kept) = try household(seed: 35)
        try goBack(back, home, a)
        home.expect(kept, at: path, on: [a, b])
        home.household.run(milliseconds: 10_000)
        home.play(save(day: 6, clicks: 45_647, cookies: "98304", size: 0), at: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.expect(kept, at: path, on: [a, b])
        let report = try home.reply(to: StatusRequest(), on: a).message(StatusReport.self)
        #expect(report?.profiles.first?.decisions == nil)
    }

    /// A game that runs on and saves again and again, while some program opens the file, is asked about once; and a `keep`
    /// lasts. What it has for itself stays in the file.
    @Test(arguments: WayBack.allCases, [true, false]) func oneGameIsAskedAboutOnce(_ back: WayBack, onOther: Bool)
        throws
    {
        let (home, a, b, kept) = try household(seed: 37)
        try goBack(back, home, onOther && back == .backup ? b : a)
        home.expect(kept, at: path, on: [a, b])
        home.household.run(milliseconds: 10_000)
        func question() throws -> [String] {
            try home.reply(to: StatusRequest(), on: a).message(StatusReport.self)?.profiles.first?.decisions ?? []
        }
        func runOn(day: Int) {
            play(save(day: day, clicks: 45_647 + day - 6, cookies: "\(98_304 + day)", size: 0), home, a)
            home.household.run(milliseconds: 5_000)
        }
        runOn(day: 7)
        let first = try question()
        #expect(first.count == 1)
        runOn(day: 8)
        #expect(try question() == first)
        _ = try home.reply(to: KeepRequest(profile: "game"), on: a)
        for day in 9...11 {
            runOn(day: day)
            #expect(try question() == [], "day \(day)")
        }
        let clicks = home.household.text(of: path, on: b)?.contains("\"clicks\":\(45_584)") == true
        #expect(clicks || back == .undo, "\(home.household.text(of: path, on: b) ?? "")")
    }

    /// What a machine has for itself is no part of the question: the file keeps what its game wrote there.
    @Test func whatIsLocalStaysBesideAQuestion() throws {
        func text(_ coins: Int, _ day: Int, volume: Int) -> String {
            "{\"coins\":\(coins),\"day\":\(day),\"volume\":\(volume)}"
        }
        let (home, a, b) = try Home.sharing(
            text(10, 1, volume: 5), at: path, rules: [("/coins", MergeRule(.counter)), ("/volume", MergeRule(.local))],
            seed: 38)
        for device in [a, b] { device.programs.tellOpens() }
        play(text(40, 2, volume: 5), home, a)
        home.household.run(milliseconds: 10_000)
        _ = try home.reply(to: UndoRequest(profile: "game", step: nil, force: false), on: a)
        home.household.run(milliseconds: 10_000)
        #expect(home.household.text(of: path, on: a) == text(10, 1, volume: 5))
        play(text(40, 2, volume: 80), home, a)
        home.household.run(milliseconds: 10_000)
        #expect(home.household.text(of: path, on: a) == text(10, 1, volume: 80))
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: a)
        home.household.run(milliseconds: 10_000)
        #expect(home.household.text(of: path, on: a) == text(40, 2, volume: 80))
    }

    /// After a reset, what is earned anew up to a level that was reached before is asked about, and counts if the player says
    /// so. A game that ran on and has spent most of its purse looks alike.
    @Test(arguments: [104, 1_400]) func whatIsEarnedAnewAfterAResetIsAsked(coins: Int) throws {
        let start = #"{"coins":2989,"level":3,"unlocked":["forest"],"day":1}"#
        let (home, a, b) = try Home.sharing(
            start, at: path,
            rules: [("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/unlocked", MergeRule(.union))],
            seed: 36)
        for device in [a, b] { device.programs.tellOpens() }
        play(#"{"coins":2990,"level":3,"unlocked":["forest"],"day":2}"#, home, b)
        home.household.run(milliseconds: 5_000)
        _ = try home.reply(to: ResetRequest(profile: "game"), on: a)
        home.household.run(milliseconds: 10_000)
        play("{\"coins\":\(coins),\"level\":3,\"unlocked\":[\"forest\"],\"day\":3}", home, a)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: b)?.contains("forest") == false, "a reset stays one")
        let report = try home.reply(to: StatusRequest(), on: a).message(StatusReport.self)
        #expect(report?.profiles.first?.decisions?.count == 1)
        _ = try home.reply(to: AcceptRequest(profile: "game", apart: false), on: a)
        home.household.run(milliseconds: 5_000)
        for device in [a, b] {
            let text = home.household.text(of: path, on: device) ?? ""
            #expect(
                text.contains("\"coins\":\(coins)") && text.contains("\"level\":3") && text.contains("forest"),
                "\(text)")
        }
    }
}
