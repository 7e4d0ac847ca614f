import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A player goes back to an earlier state, and plays the same stretch again: the save comes by the very values of what was taken
/// back.
@Suite struct PlayedAgainTests {
    private let path = "/saves/player.json"

    /// One more of the game's steps: the day and the time played tell which one it is, the amounts are how it went.
    private func save(day: Int, clicks: Int, cookies: String) -> String {
        "{\"clicks\":\(clicks),\"cookies\":\"\(cookies)\",\"day\":\(day),\"played\":\(Double(day) * 60.5)}"
    }

    enum WayBack: CaseIterable {
        case backup, undo
    }

    /// Played by turns, taken back on the one machine, and played again on either, longer or shorter than before.
    @Test(arguments: WayBack.allCases, [10, 55, 80])
    func whatIsPlayedAgainCounts(_ back: WayBack, earned: Int) throws {
        for playsOnOther in [false, true] {
            let (home, a, b) = try Home.sharing(
                save(day: 1, clicks: 45_123, cookies: "90001"), at: path, rules: [("/clicks", MergeRule(.counter))],
                seed: 31)
            home.play(save(day: 2, clicks: 45_300, cookies: "90102"), at: path, on: b)
            home.play(save(day: 3, clicks: 45_475, cookies: "90411"), at: path, on: b)
            home.play(save(day: 4, clicks: 45_528, cookies: "91202"), at: path, on: a)
            let kept = save(day: 5, clicks: 45_584, cookies: "93203")
            home.play(kept, at: path, on: a)
            home.play(save(day: 6, clicks: 45_647, cookies: "98304"), at: path, on: a)
            switch back {
            case .backup:
                let list = try home.reply(to: BackupsRequest(profile: "game"), on: a).message(BackupList.self)
                let stored = try #require(list?.backups.sorted { $0.name < $1.name }.last)
                _ = try home.reply(to: RestoreBackupRequest(profile: "game", backup: stored.name), on: a)
            case .undo: _ = try home.reply(to: UndoRequest(profile: "game", step: nil, force: false), on: a)
            }
            home.expect(kept, at: path, on: [a, b])
            home.household.run(milliseconds: 10_000)
            let again = save(day: 6, clicks: 45_584 + earned, cookies: "99404")
            home.play(again, at: path, on: playsOnOther ? b : a)
            home.expect(again, at: path, on: [a, b])
        }
    }

    /// A game that ran on while a backup was put back is beyond what was taken back: what it held stays taken back.
    @Test func aGameThatRanOnBringsNothingBack() throws {
        let (home, a, b) = try Home.sharing(
            save(day: 1, clicks: 45_123, cookies: "90001"), at: path, rules: [("/clicks", MergeRule(.counter))],
            seed: 32)
        for (day, clicks) in [(2, 45_300), (3, 45_475), (4, 45_528)] {
            home.play(save(day: day, clicks: clicks, cookies: "9\(day)001"), at: path, on: a)
        }
        let kept = save(day: 5, clicks: 45_584, cookies: "93203")
        home.play(kept, at: path, on: a)
        home.play(save(day: 6, clicks: 45_647, cookies: "98304"), at: path, on: a)
        let list = try home.reply(to: BackupsRequest(profile: "game"), on: a).message(BackupList.self)
        let stored = try #require(list?.backups.sorted { $0.name < $1.name }.last)
        _ = try home.reply(to: RestoreBackupRequest(profile: "game", backup: stored.name), on: a)
        home.expect(kept, at: path, on: [a, b])
        home.play(save(day: 7, clicks: 45_650, cookies: "98310"), at: path, on: a)
        home.household.run(milliseconds: 10_000)
        #expect(home.household.text(of: path, on: b)?.contains("45584") == true)
    }
}
