/// Counts the steps of patterns that are compared with the same paths, to bound the time of a comparison: the sum over
/// all patterns matters, not one pattern. Rules come from a rule file or from another device, epochs from another
/// device.
public struct PatternBudget: Sendable {
    /// Most steps that the patterns may have together. Checking rules against each other takes time that grows with
    /// the square of that number.
    public static let stepLimit = 8_192
    /// Most of these steps that may be `**`. Such a step is tried again at every step of a path, so that the time of a
    /// comparison is their number times the depth of the path.
    public static let anyDepthLimit = 100

    /// The number of steps so far.
    public private(set) var steps = 0
    /// How many of them are `**`.
    public private(set) var anyDepth = 0

    /// A budget with no steps yet.
    public init() {}

    /// Counts a pattern. O(steps).
    public mutating func add(_ pattern: RulePattern) {
        steps += pattern.steps.count
        anyDepth += pattern.steps.count { $0 == .anyDepth }
    }

    /// Counts many patterns. O(steps).
    mutating func add(_ patterns: some Sequence<RulePattern>) {
        for pattern in patterns { add(pattern) }
    }

    /// The end of a sentence that begins with "the paths have more than"; `nil` within the limits.
    public var excess: String? {
        if steps > Self.stepLimit { return "\(Self.stepLimit) steps together" }
        return anyDepth > Self.anyDepthLimit ? "\(Self.anyDepthLimit) steps \"**\" together" : nil
    }
}
