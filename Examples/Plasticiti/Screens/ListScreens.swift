#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Frame {
    private static let lines = 16

    mutating func trophies(_ arcade: Arcade) {
        add("TROPHIES", right: "\(arcade.achievementPercent)%", .strong)
        add()
        for trophy in Trophy.allCases {
            let isEarned = arcade.trophies.contains(trophy)
            add((isEarned ? "  * " : "  - ") + trophy.title.padded(18) + trophy.deed, isEarned ? .warning : .faint)
        }
        back()
    }

    mutating func scoreboard(_ arcade: Arcade) {
        add("SCOREBOARD", .strong)
        add()
        add(Self.standing("", "device", "player", ["best", "score", "games"]), .faint)
        // After a reset the devices are still listed in the profile, with no games.
        let list = arcade.scoreboard.filter { $0.value.games > 0 }.sorted {
            ($1.value.best, $1.value.score, $0.key) < ($0.value.best, $0.value.score, $1.key)
        }
        for (place, (device, standing)) in list.prefix(Self.lines).enumerated() {
            let numbers = [standing.best, standing.score, standing.games].map(String.init)
            add(Self.standing("\(place + 1)", device.plain(), standing.player.plain(Cabinet.nameLimit), numbers))
        }
        if list.isEmpty { add("      No game was finished yet.", .faint) }
        back()
    }

    mutating func history(_ arcade: Arcade) {
        add("HISTORY", right: "UTC", .strong)
        add()
        for game in arcade.history.prefix(Self.lines) { add(Self.line(game)) }
        if arcade.history.isEmpty { add("   No game was finished yet.", .faint) }
        back()
    }

    private static func standing(_ place: String, _ device: String, _ player: String, _ numbers: [String]) -> String {
        place.padded(left: 4) + "  " + device.padded(22) + player.padded(18)
            + numbers.map { $0.padded(left: 9) }.joined()
    }

    private static func line(_ game: FinishedGame) -> String {
        game.endedAt.formatted(.iso8601).prefix(16).replacing("T", with: " ") + "  " + game.game.title.padded(9)
            + "level \(game.level)".padded(9) + (game.isWon ? "won " : "lost") + "\(game.points)".padded(left: 6)
            + "  " + game.player.plain(12).padded(13) + game.device.plain(14)
    }

    private mutating func back() {
        fill(to: 20)
        add("Any key goes back.", .faint)
    }
}
