import LosslessJSON

/// The rules of one profile: which merge applies where.
public struct RuleSet: Hashable, Sendable {
    /// One line of a rule file.
    public struct Entry: Hashable, Sendable {
        public var pattern: RulePattern
        public var rule: MergeRule

        public init(_ pattern: RulePattern, _ rule: MergeRule) {
            self.pattern = pattern
            self.rule = rule
        }
    }

    /// The profile's name as its rule file gives it.
    public let profile: String?
    /// Where the save keeps its own version.
    public let versionAt: String?
    public let entries: [Entry]
    /// The rule file as a person wrote it, so that it reaches the other devices with its comments.
    public let source: String?

    let ranks: [RulePattern.Rank]

    /// Most rules a set may have.
    public static let entryLimit = 2_000
    /// Most steps all patterns may have together: checking them against each other takes time by its square.
    public static let stepLimit = 8_192
    /// Most bytes the travelling form may have.
    public static let byteLimit = 256 << 10

    /// No rules at all: every leaf is ``MergeRule/Merge/latest``, arrays are single values.
    public static let empty = RuleSet()

    private init() {
        (profile, versionAt, entries, source, ranks) = (nil, nil, [], nil, [])
    }

    /// Checks that for every path one rule is the most specific. O(entries²).
    public init(
        _ entries: [Entry], profile: String? = nil, versionAt: String? = nil, source: String? = nil
    ) throws(RuleError) {
        self.entries = entries
        self.profile = profile
        self.versionAt = versionAt
        self.source = source
        self.ranks = entries.map(\.pattern.rank)
        try check()
    }

    /// The rule for one place.
    public func rule(for path: DocumentPath) -> MergeRule {
        guard let steps = path.steps else { return .standard }
        var cursor = RuleCursor(self)
        for step in steps { cursor = cursor.stepping(step) }
        return cursor.rule
    }

    private func check() throws(RuleError) {
        guard entries.count <= Self.entryLimit else { throw RuleError("more than \(Self.entryLimit) rules") }
        guard entries.reduce(0, { $0 + $1.pattern.steps.count }) <= Self.stepLimit else {
            throw RuleError("the paths have more than \(Self.stepLimit) steps together")
        }
        for (index, entry) in entries.enumerated() {
            if entry.rule.whole, entry.rule.merge != .latest {
                throw RuleError("\"whole\" goes with latest only, not with \(entry.rule.merge.rawValue)", rule: index)
            }
            for (other, former) in entries[..<index].enumerated() {
                if entry.pattern == former.pattern {
                    throw RuleError("the path \"\(entry.pattern)\" has a rule already", rule: index)
                }
                if ranks[index] == ranks[other], entry.rule != former.rule, entry.pattern.overlaps(former.pattern) {
                    throw RuleError(
                        "\"\(entry.pattern)\" and \"\(former.pattern)\" can match the same path and neither is more specific",
                        rule: index)
                }
            }
            for former in entries where former.rule.whole && former.pattern.reachesBelow(entry.pattern) {
                throw RuleError("\"\(entry.pattern)\" lies below \"\(former.pattern)\", which is one whole value", rule: index)
            }
        }
    }
}
