import LosslessJSON

/// The rules of one profile: which merge applies where.
public struct RuleSet: Hashable, Sendable {
    /// One line of a rule file.
    public struct Entry: Hashable, Sendable {
        /// The places it is about.
        public var pattern: RulePattern
        /// How they merge.
        public var rule: MergeRule

        /// A line from its two halves.
        public init(_ pattern: RulePattern, _ rule: MergeRule) {
            self.pattern = pattern
            self.rule = rule
        }
    }

    /// The profile's name as its rule file gives it.
    public let profile: String?
    /// The version of the save that these rules describe, the newest they know.
    public let version: String?
    /// Where the save keeps its own version.
    public let versionAt: String?
    /// The rules somebody wrote.
    public let entries: [Entry]
    /// What a player can start over, in the order of the rule file.
    public let resets: [Reset]
    /// The place (a JSON Pointer) where a game asks for a reset by writing a scope's name. It never leaves the device,
    /// without a rule that says so.
    public let resetAt: String?
    /// How saves of former versions become ones of ``version``, the oldest first.
    public let migrations: [Migration]
    /// What to do with saves that say no version, or one that nobody knows.
    public let legacy: Migration?
    /// The rule file as a person wrote it, so that it reaches the other devices with its comments.
    public let source: String?

    /// ``entries``, and the one that keeps ``resetAt`` on the device.
    let inForce: [Entry]
    /// Of ``inForce``.
    let ranks: [RulePattern.Rank]

    /// Most rules a set may have.
    public static let entryLimit = 2_000
    /// Most steps all patterns may have together, those of resets included: checking them against each other takes
    /// time by its square.
    public static let stepLimit = 8_192
    /// Most bytes the travelling form may have.
    public static let byteLimit = 256 << 10

    /// No rules at all: every leaf is ``MergeRule/Merge/latest``, arrays are single values.
    public static let empty = RuleSet()

    private init() {
        (profile, version, versionAt, entries, resets, resetAt, source) = (nil, nil, nil, [], [], nil, nil)
        (migrations, legacy) = ([], nil)
        (inForce, ranks) = ([], [])
    }

    /// Checks every rule by itself, and that for every path one rule is the most specific. O(entries²) at worst.
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

    /// The same rules for saves of one version only.
    var unversioned: RuleSet {
        guard version != nil, versionAt != nil else { return self }
        // They were checked together with their versions.
        return (try? RuleSet(entries, profile: profile, resets: resets, resetAt: resetAt)) ?? self
    }

    /// The rule for one place.
    public func rule(for path: DocumentPath) -> MergeRule {
        guard let steps = path.steps else { return .standard }
        var cursor = RuleCursor(self)
        for step in steps { cursor = cursor.stepping(step) }
        return cursor.rule
    }
}
