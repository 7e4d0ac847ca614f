extension ProfileState {
    /// The rules of a former state that are not in force any more, where this device had put them in force and whoever wrote
    /// the present ones did not know of that. Of rules that were written apart one set wins as a whole (``RulesOrder``).
    ///
    /// - Parameter own: The replicas as which this device writes.
    package func lostRules(since former: ProfileState, of own: Set<ReplicaID>) -> [RuleSet.Entry] {
        guard former.rules != rules, let dot = former.atom(AtomKey(.rules, .rules))?.dot, own.contains(dot.replica),
            let present = replicatedRules, present.seen[dot.replica, default: 0] < dot.sequence
        else { return [] }
        let inForce = Set(rules.entries)
        return former.rules.entries.filter { !inForce.contains($0) }
    }
}
