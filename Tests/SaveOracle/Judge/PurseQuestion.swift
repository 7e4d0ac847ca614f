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
}
