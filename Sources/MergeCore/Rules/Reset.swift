/// A part of the save that a player can start over: a name, and the places that go back to their initial state
/// together.
public struct Reset: Hashable, Sendable {
    /// What the player calls it; not empty, and at most ``nameLimit`` bytes in a ``RuleSet``.
    public var name: String
    /// The places that the reset covers, with everything below them. Never empty in a ``RuleSet``.
    public var patterns: [RulePattern]

    /// Makes a reset. ``RuleSet`` checks it later.
    public init(_ name: String, _ patterns: [RulePattern]) {
        self.name = name
        self.patterns = patterns
    }

    /// Most bytes of a name.
    public static let nameLimit = 64
    /// Most resets a set of rules may have.
    public static let countLimit = 100
}
