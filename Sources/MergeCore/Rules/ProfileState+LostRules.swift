extension ProfileState {
    /// What of a former state's rules is not in force any more, where this device had put them in force and whoever wrote the
    /// present ones did not know of that: `/gems: counter`, `the reset "run"`. Of rules that were written apart one set wins
    /// as a whole (``RulesOrder``).
    ///
    /// - Parameter own: The replicas as which this device writes.
    package func lostRules(since former: ProfileState, of own: Set<ReplicaID>) -> [String] {
        guard former.rules != rules, let dot = former.atom(AtomKey(.rules, .rules))?.dot, own.contains(dot.replica),
            let present = replicatedRules, present.seen[dot.replica, default: 0] < dot.sequence
        else { return [] }
        let inForce = Set(rules.words)
        return former.rules.words.filter { !inForce.contains($0) }
    }
}

extension RuleSet {
    /// Each rule and each reset in words, as a remark names it.
    package var words: [String] {
        entries.map { "\($0.pattern): \($0.rule.merge.rawValue)" } + resets.map { "the reset \"\($0.name)\"" }
    }
}
