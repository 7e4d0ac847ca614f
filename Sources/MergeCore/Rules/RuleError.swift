/// Why rules cannot be used: one sentence, and which rule of the list it is about where that is known.
public struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    /// Index into the list of rules.
    public var rule: Int?

    public init(_ message: String, rule: Int? = nil) {
        self.message = message
        self.rule = rule
    }

    public var description: String { message }
}
