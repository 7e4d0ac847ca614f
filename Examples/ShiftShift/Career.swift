import Foundation
import HearthKit

/// The save of Shift Shift: one progress, of which the copy that got further wins as a whole.
struct Career: Profile {
    /// Where two devices played apart, the higher level wins; with equal levels the longer distance; with both equal
    /// the same copy on all devices. The two are never mixed.
    @Furthest(by: \.level, \.distance) var progress = Progress()
    @Highest var lastPlayed: Date?

    static let profileName = "Shift Shift"
    static let resets = [ResetScope("everything")]
}

/// Everything that belongs together. A mixture of two devices would be a player who never existed.
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
    /// The run that a level unlocks.
    private static let runs = [2: "forest", 4: "desert", 6: "glacier"]

    /// Drives some meters and shifts.
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
