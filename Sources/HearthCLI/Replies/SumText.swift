package import HouseholdAgent

/// The sums of two saves that become one.
package enum SumText {
    /// The lines that show the sums: first what they mean, then at most ten places.
    ///
    /// - Parameter isApart: Whether the player says that the two were played apart.
    package static func lines(_ sums: [SumReport], isApart: Bool) -> [String] {
        guard !sums.isEmpty else { return [] }
        let limit = 10
        // Where this machine knows what the file held before, --apart makes no difference.
        let isKnown = sums.allSatisfy { $0.together == $0.apart }
        var lines = sums.prefix(limit).map { sum in
            let both = "\(sum.household) in the household, \(sum.here) in the file"
            let place = "  \(PlainText.line(sum.place)): \(both)"
            if isKnown { return "\(place); kept: \(sum.together)" }
            return isApart
                ? "\(place); played apart: \(sum.apart)"
                : "\(place); kept: \(sum.together); played apart: \(sum.apart)"
        }
        if sums.count > limit { lines.append("  and \(sums.count - limit) more") }
        let meaning =
            isKnown
            ? "What each of the two earned and spent counts:"
            : isApart
                ? "These sums are added up, because you say that neither save is a copy of the other:"
                : "One save may be a copy of the other, so the larger of these sums counts, with what "
                    + "was played on the copy since; if they were played apart from the start, add --apart, and they add up:"
        return [meaning] + lines
    }
}
