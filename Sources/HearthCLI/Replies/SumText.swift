package import HouseholdAgent

/// The sums of two saves that become one.
package enum SumText {
    /// The lines that show the sums: first what they mean, then at most ten places, those that differ before the others.
    ///
    /// - Parameter isApart: Whether the player says that the two were played apart.
    package static func lines(_ sums: [SumReport], isApart: Bool) -> [String] {
        guard !sums.isEmpty else { return [] }
        let limit = 10
        // Where this machine knows what the file held before, --apart makes no difference.
        let isKnown = sums.allSatisfy { $0.together == $0.apart }
        let differing = sums.filter { $0.household != $0.here }
        let alike = sums.filter { $0.household == $0.here }
        var lines = (differing + alike).prefix(limit).map { sum in
            let both = "\(sum.household) in the household, \(sum.here) in the file"
            let place = "  \(PlainText.line(sum.place)): \(both)"
            if isKnown { return "\(place); kept: \(sum.together)" }
            return isApart
                ? "\(place); played apart: \(sum.apart)"
                : "\(place); kept: \(sum.together); played apart: \(sum.apart)"
        }
        if sums.count > limit { lines.append("  and \(sums.count - limit) more") }
        // Nothing tells the amounts from before one was copied from those after it.
        if !isKnown, !isApart, !differing.isEmpty {
            lines.append(
                "  (where one was copied and both were played on before they were added, the smaller play does not count)"
            )
        }
        return [meaning(isKnown: isKnown, isApart: isApart, areAlike: differing.isEmpty)] + lines
    }

    private static func meaning(isKnown: Bool, isApart: Bool, areAlike: Bool) -> String {
        if isKnown { return "What each of the two earned and spent counts:" }
        if isApart { return "These sums are added up, because you say that neither save is a copy of the other:" }
        let otherwise = "if they were played apart from the start, add --apart, and they add up:"
        if areAlike { return "Both hold the same sums, so one is taken for a copy of the other; \(otherwise)" }
        return
            "One save may be a copy of the other, so of what each held when it was added the larger sum counts, with "
            + "what was played since that the other does not hold; \(otherwise)"
    }
}
