public import LosslessJSON

/// How one place of the document merges.
public struct MergeRule: Hashable, Sendable {
    /// The merge itself.
    public enum Merge: String, Hashable, Sendable, CaseIterable {
        /// The last writer wins, by hybrid logical clock.
        case latest
        /// The largest value wins; never falls.
        case max
        /// The smallest value wins; never rises.
        case min
        /// What is earned and spent on every device adds up (PN-counter, Shapiro et al., 2011).
        case counter
        /// A set that only grows (G-Set).
        case union
        /// A set whose members can be removed (causal-length set, Yu and Rostad, 2020).
        case set
        /// Once true, true.
        case flag
        /// Stays on this device.
        case local
    }

    /// How a value is understood where its JSON type does not say it.
    public enum Reading: String, Hashable, Sendable, CaseIterable {
        /// A string that holds a number compares as one.
        case number
        /// A string that holds a date and time compares by instant.
        case date
    }

    public var merge: Merge
    public var reading: Reading?
    /// Values that mean "nothing yet" and never win.
    public var none: [JSONValue]
    /// The whole subtree is one value. Only with ``Merge/latest``.
    public var whole: Bool

    public init(_ merge: Merge, as reading: Reading? = nil, none: [JSONValue] = [], whole: Bool = false) {
        self.merge = merge
        self.reading = reading
        self.none = none
        self.whole = whole
    }

    /// What applies where no pattern matches.
    public static let standard = MergeRule(.latest)

    /// Which atoms this rule reads and writes; `nil` for ``Merge/local``.
    public var kind: AtomKind? { AtomKind(merge, as: reading) }

    /// Whether a value can only move one way, so that a file that holds less cannot have been written by a game that
    /// had read more.
    public var isGrowOnly: Bool {
        switch merge {
        case .max, .min, .union, .flag: true
        case .latest, .counter, .set, .local: false
        }
    }

    /// Whether the rule needs to read values as numbers, dates or strings.
    var isOrdered: Bool { merge == .max || merge == .min || merge == .counter }

    /// Whether a container can be a leaf of this rule.
    var takesElements: Bool { merge == .union || merge == .set }
}
