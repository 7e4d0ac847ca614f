import LosslessJSON

/// Merges two rule sets that were written apart, line by line: what one of them changed and the writer of the other one
/// did not know is in force beside what the other one changed. Where both changed the same line, the later change has its way.
struct RuleMerge {
    /// The merged set.
    private(set) var rules: RuleSet
    /// For each line of the merged set, and each line taken out, the write that changed it last.
    private(set) var writes: RuleWrites
    /// Whether the merged set says anything that the winner did not.
    private(set) var isNew = false

    /// Merges two sets. O(lines), and O(lines²) for the checks of the merged set.
    ///
    /// Sets of different versions are not merged: a line of one version names other places than the same line of
    /// another. Neither are sets whose lines together exceed a limit or contradict each other.
    ///
    /// - Parameters:
    ///   - winner: The set that wins as a whole.
    ///   - loser: The other one.
    init(_ winner: WrittenRules, _ loser: WrittenRules) {
        let (ours, theirs) = (winner.rules, loser.rules)
        (rules, writes) = (ours.rules, winner.writes)
        let (kept, other) = (ours.rules.lines, theirs.rules.lines)
        let others = loser.writes
        var (taken, news): (Set<RuleSubject>, [RuleSubject]) = ([], [])
        for (subject, dot) in others.dots where !ours.knows(dot) && dot != writes[subject] {
            let isContested = writes[subject].map { $0 != loser.dot && !theirs.knows($0) } ?? false
            // Of two changes that say the same, one is as good as the other.
            if isContested, kept[subject] == other[subject] || writes.isLater(subject, than: others) { continue }
            if kept[subject] != other[subject] { taken.insert(subject) }
            news.append(subject)
        }
        guard !news.isEmpty, ours.rules.hasVersions(of: theirs.rules),
            let merged = taken.isEmpty ? rules : try? rules.taking(taken, from: theirs.rules)
        else { return }
        let former = writes
        rules = merged
        writes = writes.taking(news, from: others, for: merged)
        isNew = writes.dots != former.dots
    }
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
