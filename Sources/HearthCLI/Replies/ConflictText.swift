package import HouseholdAgent

/// The conflicts that wait for the player's decision, and what the player should know.
package enum ConflictText {
    /// - Parameter now: The time in milliseconds since 1970.
    package static func text(_ conflicts: [ConflictReport], now: Int64) -> String {
        let waiting = conflicts.filter { $0.information == nil }
        var text = waiting.isEmpty ? "Nothing waits for a decision.\n" : ""
        for conflict in waiting {
            let (profile, place) = (PlainText.line(conflict.profile), PlainText.line(conflict.place))
            text += "\(profile) \(place)\n"
            for (index, candidate) in conflict.candidates.enumerated() {
                text += "  \(index + 1)  \(PlainText.line(candidate.value))  "
                text += "(\(PlainText.line(candidate.device)), \(PastTime.words(candidate.time, now: now)))\n"
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
