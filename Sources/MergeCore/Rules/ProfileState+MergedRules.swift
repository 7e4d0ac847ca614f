extension ProfileState {
    /// Puts rules in force that are merged of two sets, where a join showed that they were written apart: the rules in
    /// force after the join, and those that are not in force any more, or never were, because of it (``RuleMerge``).
    ///
    /// Every device that knows both sets does that as soon as it knows them, so no game plays under one of them on a device
    /// that knows the other. Values are not written here: each device writes its own again, also the one that merges
    /// (``reissue(since:document:own:_:)``). What one set's view shows may hold what was counted under the other one,
    /// and would count twice as the start of a counter.
    ///
    /// - Parameters:
    ///   - joined: What the join of the winning or of the losing rules changed.
    ///   - context: Who writes, and when.
    /// - Returns: What was written; nothing where nothing is to be merged.
    package mutating func mergeRules(_ joined: JoinResult, _ context: WriteContext) -> [KeyedAtom] {
        guard rulesHeld == nil, let atom = atom(AtomKey(.rules, .rules)), let winner = WrittenRules(atom),
            let loser = WrittenRules(joined.lostRules), !winner.rules.knows(loser.dot)
        else { return [] }
        let merge = RuleMerge(winner, loser)
        guard merge.isNew else { return [] }
        var replicated = ReplicatedRules(merge.rules, seen: vector)
        let least = RulesOrder.generation(above: atom.encoded[...], isLast: winner.stamp.isLast)
        replicated.generation = max(winner.rules.generation, least)
        replicated.former = loser.rules.former.merging(winner.rules.former) { $1 }
        replicated.writes = merge.writes
        let stamp = max(winner.stamp.successor, .live(context.now))
        return write([(AtomKey(.rules, .rules), .register(stamp, replicated.json))], as: context.replica)
    }

    /// The rules and resets that this device had put in force, and that lost against rules of another device, in words:
    /// `/gems: counter`, `the reset "run"`. The other device did not know of them; it changed the same lines later, or put
    /// rules of another version in force.
    ///
    /// - Parameter own: The replicas as which this device writes.
    package func lostRules(since former: ProfileState, of own: Set<ReplicaID>) -> [String] {
        guard former.rules != rules, let before = WrittenRules(former.atom(AtomKey(.rules, .rules)))?.writes,
            let present = WrittenRules(atom(AtomKey(.rules, .rules)))
        else { return [] }
        let (held, holds, writes) = (former.rules.lines, rules.lines, present.writes)
        let lost = before.dots.filter { subject, dot in
            own.contains(dot.replica) && held[subject] != holds[subject] && writes[subject] != dot
                && !writes.hasSeen(dot, writing: subject, last: present.rules.seen)
        }
        return former.rules.words(of: Set(lost.keys))
    }
}

extension RuleSet {
    /// Each rule and each reset in words, as a remark names it.
    package var words: [String] { words(of: nil) }

    /// The rules that are others than in a former set, in words: `/coins: counter → latest`. In the order of their places.
    package func changes(since former: RuleSet) -> [String] {
        func byPlace(_ rules: RuleSet) -> [String: MergeRule] {
            Dictionary(rules.entries.map { ($0.pattern.description, $0.rule) }) { $1 }
        }
        func word(_ rule: MergeRule?) -> String { rule?.merge.rawValue ?? "no rule" }
        let (before, after) = (byPlace(former), byPlace(self))
        return Set(before.keys).union(after.keys).sorted().compactMap { place in
            let (old, new) = (before[place], after[place])
            if old == new { return nil }
            return "\(place): \(word(old)) → \(word(new))" + (old?.merge == new?.merge ? " with other options" : "")
        }
    }

    /// The same, of some subjects.
    fileprivate func words(of subjects: Set<RuleSubject>?) -> [String] {
        let rules = entries.filter { subjects?.contains(.places($0.pattern)) ?? true }
        let resets = self.resets.filter { subjects?.contains(.reset($0.name)) ?? true }
        return rules.map { "\($0.pattern): \($0.rule.merge.rawValue)" } + resets.map { "the reset \"\($0.name)\"" }
    }
}
