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
        /// The side that got further wins whole, by the members of ``MergeRule/by``.
        case furthest
        /// Values written apart are all kept until the player decides (multi-value register, Shapiro et al., 2011).
        case choice
        /// Stays on this device.
        case local
    }

    /// How a value is understood where its JSON type does not say it.
    public enum Reading: String, Hashable, Sendable, CaseIterable {
        /// A string that holds a number compares as one.
        case number
        /// A string that holds a date and time compares by instant.
        case date
        /// A whole number stands for the set of its binary digits that are 1.
        case bits
    }

    /// The merge.
    public var merge: Merge
    /// How values are understood; `nil` for what their JSON type says.
    public var reading: Reading?
    /// Values that mean "nothing yet" and never win.
    public var none: [JSONValue]
    /// The whole subtree is one value. ``Merge/furthest`` and ``Merge/choice`` take it whole without the word.
    public var whole: Bool
    /// How dates are spelled, where not as ISO 8601 (see ``DateFormat``). Only with ``Reading/date``.
    public var format: String? { didSet { dateFormat = Self.parsed(format) } }
    /// ``format``, taken apart once; `nil` also where it is none.
    private(set) var dateFormat: DateFormat?
    /// Members that say how far a side got, the weightiest first. Only with ``Merge/furthest``, and never empty there.
    public var by: [JSONString]
    /// The member by which elements of a ``Merge/union`` or ``Merge/set`` are ordered, the largest first.
    public var sort: JSONString?
    /// How many elements of a ``Merge/union`` or ``Merge/set`` a file shows. The state keeps them all.
    public var limit: Int?

    /// A rule with its options. Whether they go together is checked by the ``RuleSet``.
    public init(
        _ merge: Merge, as reading: Reading? = nil, none: [JSONValue] = [], whole: Bool = false,
        format: String? = nil, by: [JSONString] = [], sort: JSONString? = nil, limit: Int? = nil
    ) {
        self.merge = merge
        self.reading = reading
        self.none = none
        self.whole = whole
        self.format = format
        self.by = by
        self.sort = sort
        self.limit = limit
        dateFormat = Self.parsed(format)
    }

    private static func parsed(_ format: String?) -> DateFormat? {
        guard let format else { return nil }
        return try? DateFormat(parsing: format)
    }

    /// Most values of ``none``.
    public static let noneLimit = 100
    /// Most members of ``by``.
    public static let byLimit = 8
    /// What ``limit`` can be.
    public static let limits = 1...1_000_000

    /// What applies where no pattern matches.
    public static let standard = MergeRule(.latest)

    /// Which atoms this rule reads and writes; `nil` for ``Merge/local``.
    public var kind: AtomKind? { AtomKind(self) }

    /// Whether a value can only move one way, so that a file that holds less cannot have been written by a game that
    /// had read more.
    public var isGrowOnly: Bool {
        switch merge {
        case .max, .min, .union, .flag: true
        case .latest, .counter, .set, .furthest, .choice, .local: false
        }
    }

    /// Whether the subtree is one value, with no rules of its own inside.
    public var isWhole: Bool { whole || merge == .furthest || merge == .choice }

    /// The word that makes the subtree one value.
    var wholeWord: String { whole ? "whole" : merge.rawValue }

    /// Whether the rule needs to read values as numbers, dates or strings.
    var isOrdered: Bool { merge == .max || merge == .min || merge == .counter }

    /// Whether a value says nothing under the rule: an empty container, one of ``none``, bits of 0, or what the rule
    /// cannot read. It is told by a register, as under ``Merge/latest``, and shows while nothing counts at its place.
    func isToldByRegister(_ value: JSONValue) -> Bool {
        if value.isEmptyContainer { return true }
        return switch merge {
        case .max, .min: none.contains(value) || Ordinal(value, by: self) == nil
        case .counter: !reads(value)
        case .flag: if case .bool = value { false } else { true }
        case .union where reading == .bits: BitField.elements(of: value)?.isEmpty ?? true
        case .union, .set: if case .array = value { false } else { true }
        case .latest, .choice, .furthest, .local: false
        }
    }

    /// Whether a value that says nothing is one after which the rule starts from nothing: 0, false or an empty list. Of
    /// others (an empty object where the rule counts, a text where it wants bits) there is no such start.
    func startsFrom(_ value: JSONValue) -> Bool {
        if value.isEmptyContainer { return takesElements && value == .array([]) }
        return switch merge {
        case .counter: value == .null
        case .union where reading == .bits: value == .null || BitField.elements(of: value) != nil
        default: true
        }
    }

    /// Whether a container can be a leaf of this rule.
    var takesElements: Bool { (merge == .union || merge == .set) && reading != .bits }
}
