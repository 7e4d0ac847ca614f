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
        add("      " + "device".padded(22) + "player".padded(18) + "best".padded(left: 8) + "score".padded(left: 10) + "games".padded(left: 8), .faint)
        let list = arcade.scoreboard.sorted { ($1.value.best, $1.value.score, $0.key) < ($0.value.best, $0.value.score, $1.key) }
        for (place, (device, standing)) in list.prefix(Self.lines).enumerated() {
            add(
                "\(place + 1)".padded(left: 4) + "  " + device.plain().padded(22)
                    + standing.player.plain(Cabinet.nameLimit).padded(18) + "\(standing.best)".padded(left: 8)
                    + "\(standing.score)".padded(left: 10) + "\(standing.games)".padded(left: 8))
        }
        if list.isEmpty { add("      No game was finished yet.", .faint) }
        back()
    }

    mutating func history(_ arcade: Arcade) {
        add("HISTORY", right: "UTC", .strong)
        add()
        for game in arcade.history.prefix(Self.lines) {
            add(
                game.endedAt.formatted(.iso8601).prefix(16).replacing("T", with: " ") + "  " + game.game.title.padded(9)
                    + "level \(game.level)".padded(9) + (game.isWon ? "won " : "lost") + "\(game.points)".padded(left: 6)
                    + "  " + game.player.plain(12).padded(13) + game.device.plain(14))
        }
        if arcade.history.isEmpty { add("   No game was finished yet.", .faint) }
        back()
    }

    private mutating func back() {
        fill(to: 20)
        add("Any key goes back.", .faint)
    }
}
