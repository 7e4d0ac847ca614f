import Foundation
import HearthKit

/// What Shift Shift keeps of a player: one progress, of which the one that got further wins whole.
struct Career: Profile {
    /// Of two devices that went on apart, the higher level wins; of two equal ones the longer way; of two that are
    /// equal in both the same one on all devices. Nothing of the two is mixed.
    @Furthest(by: \.level, \.distance) var progress = Progress()
    @Highest var lastPlayed: Date?

    static let profileName = "Shift Shift"
    static let resets = [ResetScope("everything")]
}

/// What belongs together: half of one and half of another would be a player who never was.
struct Progress: Codable {
    var level = 1
    var distance = 0
    var baseStats = BaseStats()
    var unlockedRuns: [String] = ["meadow"]
    var statistics = Statistics()
    var achievements: [String] = []
}

struct BaseStats: Codable {
    var speed = 10
    var grip = 10
}

struct Statistics: Codable {
    var shifts = 0
    var longest = 0
}

extension Progress {
    /// What the player reaches at which level.
    private static let runs = [2: "forest", 4: "desert", 6: "glacier"]

    /// The player drives, and shifts.
    mutating func shift(_ meters: Int, at run: String) {
        distance += meters
        statistics.shifts += 1
        statistics.longest = max(statistics.longest, meters)
        while level <= distance / 100 {
            level += 1
            baseStats.speed += 2
            if run == "desert" { baseStats.grip += 3 } else { baseStats.grip += 1 }
            if let run = Self.runs[level] { unlockedRuns.append(run) }
            if level == 5 { achievements.append("fifth gear") }
        }
    }

    var summary: String {
        """
        level \(level), \(distance) m, speed \(baseStats.speed), grip \(baseStats.grip), \
        runs \(unlockedRuns.joined(separator: " ")), \(statistics.shifts) shifts, longest \(statistics.longest) m, \
        \(achievements.isEmpty ? "no achievements" : achievements.joined(separator: " "))
        """
    }
}
