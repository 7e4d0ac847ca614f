package import HouseholdAgent
package import MergeCore

/// The conflicts that wait for the player's decision, and what the player should know.
package enum ConflictText {
    /// - Parameter now: The present time.
    package static func text(_ conflicts: [ConflictReport], now: WallTime) -> String {
        let waiting = conflicts.filter { $0.information == nil }
        var text = waiting.isEmpty ? "Nothing waits for a decision.\n" : ""
        for conflict in waiting {
            let (profile, place) = (PlainText.line(conflict.profile), PlainText.line(conflict.place))
            text += "\(profile) \(place)\n"
            for (index, candidate) in conflict.candidates.enumerated() {
                text += "  \(index + 1)  \(PlainText.line(candidate.value))  "
                let age = PastTime.words(WallTime(milliseconds: candidate.time), now: now)
                text += "(\(PlainText.line(candidate.device)), \(age))\n"
            }
            text += "  decide with: hearth resolve \(CommandWord.of(conflict)) \(CommandWord.of(place)) NUMBER\n"
        }
        for conflict in conflicts {
            guard let information = conflict.information else { continue }
            text += "Good to know: \(PlainText.line(conflict.profile)) \(PlainText.line(conflict.place)) "
            text += "\(PlainText.line(information)).\n"
        }
        return text
    }
}
