import LosslessJSON

/// The rules of one profile. They say which merge applies at which place.
public struct RuleSet: Hashable, Sendable {
    /// One line of a rule file.
    public struct Entry: Hashable, Sendable {
        /// The places that the rule is for.
        public var pattern: RulePattern
        /// How values at these places merge.
        public var rule: MergeRule

        /// Makes a line from a pattern and a rule.
        public init(_ pattern: RulePattern, _ rule: MergeRule) {
            self.pattern = pattern
            self.rule = rule
        }
    }

    /// The profile's name as its rule file gives it.
    public let profile: String?
    /// The version of the save that these rules describe. It is the newest one they know.
    public let version: String?
    /// The place where a save keeps its own version.
    public let versionAt: String?
    /// The rules of the rule file, in its order.
    public let entries: [Entry]
    /// The parts of the save that a player can start over, in the order of the rule file.
    public let resets: [Reset]
    /// The place (a JSON Pointer) where a game asks for a reset by writing the reset's name. The place is never synced,
    /// even where no rule says so.
    public let resetAt: String?
    /// The migrations from older versions of the save to ``version``, the oldest first.
    public let migrations: [Migration]
    /// The migration for saves that state no version, or one that no rule knows.
    public let legacy: Migration?
    /// The text of the rule file as a person wrote it. It is sent along so that the other devices get its comments too.
    public let source: String?

    /// ``entries``, and the `local` rule that keeps ``resetAt`` on the device, if the entries have none.
    let inForce: [Entry]
    /// The rank of each rule in ``inForce``, in the same order.
    let ranks: [RulePattern.Rank]

    /// Most rules a set may have.
    ///
    /// The patterns of all rules and resets together have a limit as well, see ``PatternBudget``.
    public static let entryLimit = 2_000
    /// Most bytes the JSON form (``json``) may have.
    public static let byteLimit = 256 << 10

    /// A set without rules: every leaf is ``MergeRule/Merge/latest``, and every array is a single value.
    public static let empty = RuleSet()

    private init() {
        (profile, version, versionAt, entries, resets, resetAt, source) = (nil, nil, nil, [], [], nil, nil)
        (migrations, legacy) = ([], nil)
        (inForce, ranks) = ([], [])
    }

    /// Makes a set of rules. Checks each rule by itself, and that for every path one rule is the most specific.
    /// O(entries²) at worst.
    ///
    /// - Throws: ``RuleError`` that names the rule, the reset, the migration or the word it is about.
    public init(
        _ entries: [Entry],
        profile: String? = nil,
        version: String? = nil,
        versionAt: String? = nil,
        resets: [Reset] = [],
        resetAt: String? = nil,
        migrations: [Migration] = [],
        legacy: Migration? = nil,
        source: String? = nil
    ) throws(RuleError) {
        self.entries = entries
        self.profile = profile
        self.version = version
        self.versionAt = versionAt
        self.resets = resets
        self.resetAt = resetAt
        self.migrations = migrations
        self.legacy = legacy
        self.source = source
        try RuleCheck.limits(entries, resets)
        for (index, entry) in entries.enumerated() { try RuleCheck.options(of: entry.rule, at: index) }
        try RuleCheck.overlaps(entries)
        try RuleCheck.resets(resets)
        try RuleCheck.migrations(migrations, legacy: legacy, version: version, versionAt: versionAt)
        inForce = entries + (try RuleCheck.entry(keeping: resetAt, entries))
        ranks = inForce.map(\.pattern.rank)
    }

    /// The same rules without versions and migrations, for saves that are all of one version.
    var unversioned: RuleSet {
        guard version != nil, versionAt != nil else { return self }
        // The checks passed when these rules were made with their versions, so they cannot fail here.
        return (try? RuleSet(entries, profile: profile, resets: resets, resetAt: resetAt)) ?? self
    }

    /// The rule for one place.
    public func rule(for path: DocumentPath) -> MergeRule {
        guard let steps = path.steps else { return .standard }
        var matcher = RuleMatcher(self)
        for step in steps { matcher = matcher.stepping(step) }
        return matcher.rule
    }
}
