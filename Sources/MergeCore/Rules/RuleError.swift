/// An error that says why rules cannot be used: one sentence, and the part of the rules it is about where that is
/// known.
public struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence. It does not name the part; the members below do.
    public let message: String
    /// Index into the list of rules.
    public var rule: Int?
    /// Index into the list of resets.
    public var reset: Int?
    /// Index into the patterns of that reset.
    public var pattern: Int?
    /// Index into the list of migrations.
    public var migration: Int?
    /// The word the sentence is about. With a rule or a reset: an option of it (such as `by`). Without: a field of the
    /// set (such as `resetAt`).
    public var word: String?
    /// Whether the rules are beyond a limit or contradict each other, so that no other version of Hearth could use them
    /// either. Otherwise the rules may come from a newer version, which knows more words.
    package var isForEveryVersion = false

    /// Makes an error; a part that is not known stays `nil`.
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
