package import LosslessJSON

extension ProfileState {
    /// The rules in force after a join, merged line by line with those that are not in force any more because of it
    /// (``RuleMerge``); `nil` where the two were not written apart.
    private func mergedRules(_ joined: JoinResult) -> (
        merge: RuleMerge, winner: ReplicatedRules, loser: ReplicatedRules
    )? {
        guard rulesHeld == nil, let lost = joined.lostRules, case .register(_, let json?) = lost.content,
            let dot = atom(AtomKey(.rules, .rules))?.dot, let winner = replicatedRules, !winner.knows(lost.dot),
            let loser = try? ReplicatedRules(json: json)
        else { return nil }
        return (RuleMerge((winner, dot), (loser, lost.dot)), winner, loser)
    }

    /// What of rules that are not in force any more lost for good, where this device had put it in force: `/gems: counter`,
    /// `the reset "run"`. The rules that won change the same lines otherwise, or are of another version.
    ///
    /// - Parameters:
    ///   - joined: What the join of the winning or of the losing rules changed.
    ///   - own: The replicas as which this device writes.
    package func lostRules(_ joined: JoinResult, of own: Set<ReplicaID>) -> [String] {
        guard let (merge, _, loser) = mergedRules(joined) else { return [] }
        let lost = Set(merge.lost.filter { loser.writes[$0].map { own.contains($0.replica) } ?? false })
        let inForce = Set(rules.words)
        return loser.rules.words(of: lost).filter { !inForce.contains($0) }
    }

    /// Puts rules in force that are merged of two sets, where a join showed that they were written apart.
    ///
    /// Every device that knows both sets does that as soon as it knows them. So no device writes under the one while it
    /// knows the other, and what was written under the one holds nothing of what was counted under the other. Therefore
    /// each set's view of the save becomes a baseline of the merged rules: baselines join by the larger value, and what
    /// was counted on top of them adds up. Two devices that do the same write the same, and one of the two writes stays.
    ///
    /// - Parameters:
    ///   - joined: What the join of the winning or of the losing rules changed.
    ///   - former: The rules that were in force before it.
    ///   - document: The content of this device's file; `nil` where it has none.
    ///   - context: Who writes, and when.
    /// - Returns: What was written; `nil` where nothing is to be merged.
    package mutating func mergeRules(
        _ joined: JoinResult, after former: RuleSet, document: JSONDocument?, _ context: WriteContext
    ) -> [KeyedAtom]? {
        guard let (merge, winner, loser) = mergedRules(joined), merge.isNew,
            case .register(let last, _)? = atom(AtomKey(.rules, .rules))?.content, !last.isLast
        else { return nil }
        var replicated = ReplicatedRules(merge.rules, seen: vector)
        replicated.generation = winner.generation
        replicated.former = winner.former
        replicated.writes = merge.writes
        var batch = WriteBatch(state: self, context: context)
        batch.put(AtomKey(.rules, .rules), .register(max(last.successor, .live(context.now)), replicated.json))
        for rules in [rules, loser.rules] {
            var view = self
            view.rules = rules
            guard let document = Projection.document(of: view) else { continue }
            for leaf in RuleChange(former: rules, current: merge.rules).moved(document) {
                batch.adoptUnderOtherRules(leaf)
            }
        }
        // What was this device's own until now has no atoms: only its file holds it.
        if let document {
            for leaf in RuleChange(former: former, current: merge.rules).moved(document)
            where former.rule(for: leaf.path).kind == nil { batch.adoptUnderOtherRules(leaf) }
        }
        return write(batch.contents, as: context.replica)
    }
}

extension RuleSet {
    /// Each rule and each reset in words, as a remark names it.
    package var words: [String] { words(of: nil) }

    /// The same, of some subjects.
    fileprivate func words(of subjects: Set<RuleSubject>?) -> [String] {
        let rules = entries.filter { subjects?.contains(.places($0.pattern)) ?? true }
        let resets = self.resets.filter { subjects?.contains(.reset($0.name)) ?? true }
        return rules.map { "\($0.pattern): \($0.rule.merge.rawValue)" } + resets.map { "the reset \"\($0.name)\"" }
    }
}
