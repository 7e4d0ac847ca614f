/// What a person is asked about a purse: the game had read one state before its save, or another.
package enum PurseQuestion {
    /// Whether a save holds an amount that is eight times nearer to an older state than to the one it was played on. Of
    /// two such states the question is, and neither answer is what was saved.
    ///
    /// - Parameters:
    ///   - base: What the save was played on.
    ///   - states: What the files held before.
    package static func isOfOlderStates(save: JSON, base: JSON, states: [JSON], rules: RuleTable) -> Bool {
        save.leaves(rules).contains { place, rule in
            func gap(_ state: JSON) -> ExactNumber? {
                guard let old = state.at(place).flatMap({ rule.number($0) }),
                    let new = save.at(place).flatMap({ rule.number($0) })
                else { return nil }
                return old < new ? new - old : old - new
            }
            guard rule.merge == .counter, let read = gap(base) else { return false }
            return states.compactMap(gap).contains { one in
                let eightfold = (0..<3).reduce(one) { sum, _ in sum + sum }
                return one < read && !(read < eightfold)
            }
        }
    }

    /// Whether the words of a question name two amounts of a counter, and neither is what was earned or spent: it is
    /// between other states than the one that the save was played on, and no answer is right.
    package static func isOfOtherStates(save: JSON, base: JSON, words: [String], rules: RuleTable) -> Bool {
        save.leaves(rules).contains { place, rule in
            guard rule.merge == .counter, let offered = amounts(at: place, in: words),
                let before = base.at(place).flatMap({ rule.number($0) }),
                let after = save.at(place).flatMap({ rule.number($0) })
            else { return false }
            return !offered.contains { ($0 - (after - before)).isZero }
        }
    }

    /// The amounts in words such as `/coins (+21 or -5)`; `nil` where the words do not name the place.
    static func amounts(at place: Place, in words: [String]) -> [ExactNumber]? {
        for text in words {
            guard let start = text.firstRange(of: "\(place) (")?.upperBound else { continue }
            let rest = text[start...].prefix { $0 != ")" }
            let parts = rest.replacing("+", with: "").split(separator: " or ").compactMap { ExactNumber(String($0)) }
            if parts.count == 2 { return parts }
        }
        return nil
    }
}
