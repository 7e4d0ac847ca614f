/// Why rules cannot be used: one sentence, and which part of them it is about where that is known.
public struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence, without a place.
    public let message: String
    /// Index into the list of rules.
    public var rule: Int?
    /// Index into the list of resets.
    public var reset: Int?
    /// Index into the patterns of that reset.
    public var pattern: Int?
    /// Index into the list of migrations.
    public var migration: Int?
    /// The word the sentence is about: an option of the rule (such as `by`), or, without a rule and a reset, a field of
    /// the set (such as `resetAt`).
    public var word: String?

    /// An error about a part, where that is known.
    public init(
        _ message: String,
        rule: Int? = nil,
        reset: Int? = nil,
        pattern: Int? = nil,
        migration: Int? = nil,
        word: String? = nil
    ) {
        self.message = message
        self.rule = rule
        self.reset = reset
        self.pattern = pattern
        self.migration = migration
        self.word = word
    }

    /// The same as ``message``.
    public var description: String { message }
}
