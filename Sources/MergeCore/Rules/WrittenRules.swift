/// A rule set as it was stored: with the write that put it in force.
struct WrittenRules {
    let rules: ReplicatedRules
    let dot: Dot
    let stamp: Stamp

    /// Reads the content of a `#rules` atom; `nil` where this version cannot read it.
    init?(_ atom: Atom?) {
        guard let atom, case .register(let stamp, let json?) = atom.content,
            let rules = try? ReplicatedRules(json: json)
        else { return nil }
        (self.rules, self.dot, self.stamp) = (rules, atom.dot, stamp)
    }

    /// For each line, the write that changed it last. It includes what this set's own writer had seen, and its stamp, which
    /// the stored form leaves out because the set and its atom say both.
    var writes: RuleWrites { rules.writes.noting(rules.seen, stamp, of: dot) }
}

extension ReplicatedRules {
    /// Whether their writer knew of a write.
    func knows(_ dot: Dot) -> Bool { seen[dot.replica, default: 0] >= dot.sequence }
}
