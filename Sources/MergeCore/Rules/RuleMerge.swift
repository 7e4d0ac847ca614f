import LosslessJSON

/// Merges two rule sets that were written apart, line by line: what one of them changed and the writer of the other one
/// did not know is in force beside what the other one changed. Where both changed the same line, the set that wins as a
/// whole (``RulesOrder``) has its way.
struct RuleMerge {
    /// The merged set.
    private(set) var rules: RuleSet
    /// Who wrote its lines, and who took other lines out.
    private(set) var writes: RuleWrites
    /// Whether the merged set says anything that the winner did not.
    private(set) var isNew = false
    /// The subjects whose lines come from the set that lost.
    private var taken: [RuleSubject] = []
    /// The subjects whose lines were lost: both sets changed them, or the lines fit no merged set.
    private(set) var lost: [RuleSubject] = []

    /// Merges two sets. O(lines), and O(lines²) for the checks of the merged set.
    ///
    /// Sets of different versions are not merged: a line of one version names other places than the same line of
    /// another. Neither are sets whose lines together exceed a limit or contradict each other.
    ///
    /// - Parameters:
    ///   - winner: The set that wins as a whole.
    ///   - loser: The other one.
    init(_ winner: (rules: ReplicatedRules, dot: Dot), _ loser: (rules: ReplicatedRules, dot: Dot)) {
        let (ours, theirs) = (winner.rules, loser.rules)
        (rules, writes) = (ours.rules, ours.writes.noting(ours.seen, of: winner.dot))
        let (kept, other) = (ours.rules.lines, theirs.rules.lines)
        var news: [RuleSubject] = []
        for (subject, dot) in theirs.writes.dots where !ours.knows(dot) && dot != ours.writes[subject] {
            let isContested = ours.writes[subject].map { !theirs.knows($0) } ?? false
            if kept[subject] != other[subject] { isContested ? lost.append(subject) : taken.append(subject) }
            if !isContested { news.append(subject) }
        }
        guard !news.isEmpty else { return }
        guard ours.rules.hasVersions(of: theirs.rules),
            let merged = taken.isEmpty ? rules : try? rules.taking(Set(taken), from: theirs.rules)
        else {
            lost += taken
            taken = []
            return
        }
        rules = merged
        isNew = true
        writes = writes.taking(news, from: theirs.writes.noting(theirs.seen, of: loser.dot), for: merged)
    }
}

extension ReplicatedRules {
    /// Whether their writer knew of a write.
    func knows(_ dot: Dot) -> Bool { seen[dot.replica, default: 0] >= dot.sequence }
}

extension RuleSet {
    /// Whether both sets describe the same version, with the same migrations to it.
    fileprivate func hasVersions(of other: RuleSet) -> Bool {
        version == other.version && versionAt == other.versionAt && migrations == other.migrations
            && legacy == other.legacy
    }

    /// This set, with the lines of some subjects as another set has them. Its order stays, and what it lacks comes last.
    /// The text of the rule file is left out, because it does not say the same any more.
    fileprivate func taking(_ subjects: Set<RuleSubject>, from other: RuleSet) throws(RuleError) -> RuleSet {
        func merged<Item>(_ own: [Item], _ others: [Item], _ subject: (Item) -> RuleSubject) -> [Item] {
            var theirs: [RuleSubject: Item] = [:]
            for item in others where subjects.contains(subject(item)) { theirs[subject(item)] = item }
            let kept = own.compactMap { item in
                subjects.contains(subject(item)) ? theirs.removeValue(forKey: subject(item)) : item
            }
            return kept + others.compactMap { theirs.removeValue(forKey: subject($0)) }
        }
        let merged = try RuleSet(
            merged(entries, other.entries) { .places($0.pattern) },
            profile: profile ?? other.profile,
            version: version,
            versionAt: versionAt,
            resets: merged(resets, other.resets) { .reset($0.name) },
            resetAt: resetAt ?? other.resetAt,
            migrations: migrations,
            legacy: legacy
        )
        guard merged.json.jsonBytes.count <= Self.byteLimit else {
            throw RuleError("the merged rules have more than \(Self.byteLimit) bytes")
        }
        return merged
    }
}
