import LosslessJSON

/// The places an epoch covers, each with everything below it.
public struct PathSelector: Hashable, Sendable {
    /// Patterns as in a rule file, for example the paths of a reset scope at the time of the reset.
    public let patterns: [RulePattern]
    /// Single places, for an undo.
    public let places: [DocumentPath]

    private let known: Set<DocumentPath>

    /// The largest number of places.
    public static let placeLimit = 100_000
    /// The largest number of patterns. It is limited because each pattern is compared with every place of a profile.
    public static let patternLimit = 2_000

    /// Whether it is within the limits.
    var isBounded: Bool {
        guard patterns.count <= Self.patternLimit, places.count <= Self.placeLimit else { return false }
        var budget = PatternBudget()
        budget.add(patterns)
        return budget.excess == nil
    }

    /// Covers whatever a pattern or a place names. An epoch can begin with at most ``patternLimit`` patterns, within
    /// one ``PatternBudget``, and ``placeLimit`` places.
    public init(patterns: [RulePattern] = [], places: [DocumentPath] = []) {
        self.patterns = patterns
        self.places = places
        known = Set(places)
    }

    /// The whole document.
    public static let everything = PathSelector(places: [.root])

    /// Whether a place, or one above it, is covered. O(depth + patterns · steps).
    public func covers(_ path: DocumentPath) -> Bool {
        if path.isReserved { return false }
        if known.contains(.root) { return true }
        if !known.isEmpty {
            var place: DocumentPath? = path
            while let here = place {
                if known.contains(here) { return true }
                place = here.parent
            }
        }
        guard !patterns.isEmpty, let steps = path.steps else { return false }
        return patterns.contains { $0.matchesPrefix(of: steps) }
    }
}

extension RulePattern {
    /// Whether the pattern matches the place of these steps, or one above it. O(pattern · steps).
    func matchesPrefix(of path: [PathStep]) -> Bool {
        var reachable = Array(repeating: false, count: steps.count + 1)
        reachable[0] = true
        for index in 0...path.count {
            for at in steps.indices where reachable[at] && steps[at] == .anyDepth { reachable[at + 1] = true }
            if reachable[steps.count] { return true }
            guard index < path.count else { return false }
            var next = Array(repeating: false, count: steps.count + 1)
            for at in steps.indices where reachable[at] {
                switch (steps[at], path[index]) {
                case (.anyDepth, _): next[at] = true
                case (.any, _), (.keyed, .element): next[at + 1] = true
                case (.literal(let name), .member(let member)) where name == member: next[at + 1] = true
                case (.literal(let name), .index(let number)) where name.string == String(number): next[at + 1] = true
                default: break
                }
            }
            reachable = next
        }
        return false
    }
}
