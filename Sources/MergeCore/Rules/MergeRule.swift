public import LosslessJSON

/// How one place of the document merges.
public struct MergeRule: Hashable, Sendable {
    /// The way in which two values of one place become one.
    public enum Merge: String, Hashable, Sendable, CaseIterable {
        /// The last writer wins, by hybrid logical clock.
        case latest
        /// The largest value wins; never falls.
        case max
        /// The smallest value wins; never rises.
        case min
        /// The amounts earned and spent on all devices are added up (PN-counter, Shapiro et al., 2011).
        case counter
        /// A set that only grows (G-Set).
        case union
        /// A set whose members can be removed (causal-length set, Yu and Rostad, 2020).
        case set
        /// A truth value that stays true once it is true.
        case flag
        /// The side that got further wins as a whole. The members named in ``MergeRule/by`` say how far a side got.
        case furthest
        /// A register that keeps all values written concurrently until the player picks one (multi-value register,
        /// Shapiro et al., 2011).
        case choice
        /// The value is never synced: every device keeps its own.
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

    /// The way values merge.
    public var merge: Merge
    /// How a value is understood; `nil` to go by its JSON type.
    public var reading: Reading?
    /// Values that mean "nothing yet" and never win.
    public var none: [JSONValue]
    /// Whether the whole subtree is one value. ``Merge/furthest`` and ``Merge/choice`` make it one value in any case.
    public var whole: Bool
    /// The spelling of dates, where it is not ISO 8601 (see ``DateFormat``). Only with ``Reading/date``.
    public var format: String? { didSet { dateFormat = Self.parsed(format) } }
    /// ``format``, parsed once; `nil` where there is no format or it cannot be parsed.
    private(set) var dateFormat: DateFormat?
    /// Members that say how far a side got, the weightiest first. Only with ``Merge/furthest``, and never empty there.
    public var by: [JSONString]
    /// The member by which elements of a ``Merge/union`` or ``Merge/set`` are ordered, the largest first.
    public var sort: JSONString?
    /// How many elements of a ``Merge/union`` or ``Merge/set`` a file shows. The state keeps them all.
    public var limit: Int?

    /// Makes a rule from its options. ``RuleSet`` checks later whether the options go together.
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
    /// The values that ``limit`` may have.
    public static let limits = 1...1_000_000

    /// The rule for places that no pattern matches.
    public static let standard = MergeRule(.latest)

    /// The kind of atom this rule reads and writes; `nil` for ``Merge/local``, which has no atoms.
    public var kind: AtomKind? { AtomKind(self) }

    /// Whether a value under this rule can move in one direction only. Then a file that holds less cannot have been
    /// written by a game that had read more.
    public var isGrowOnly: Bool {
        switch merge {
        case .max, .min, .union, .flag: true
        case .latest, .counter, .set, .furthest, .choice, .local: false
        }
    }

    /// Whether the subtree is one value, with no rules of its own inside.
    public var isWhole: Bool { whole || merge == .furthest || merge == .choice }

    /// The word of the rule file that makes the subtree one value, for error messages.
    var wholeWord: String { whole ? "whole" : merge.rawValue }

    /// Whether the rule reads its values as an ``Ordinal``, so that they can be compared or counted.
    var isOrdered: Bool { merge == .max || merge == .min || merge == .counter }

    /// Whether a value counts for nothing under the rule: an empty container, one of ``none``, a bit field of 0, or a
    /// value that the rule cannot read. Such a value is kept in a last-writer-wins register, as under ``Merge/latest``.
    /// It shows as long as the place holds no value that counts.
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

    /// Whether the rule can start from nothing at a place that held this value. For an empty container: only if it is
    /// an empty list and the rule takes elements. For other values: under a counter only if it is `null`; under a
    /// `union` that reads bits only if it is `null` or a bit field; under other rules always.
    ///
    /// Only asked for values for which ``isToldByRegister(_:)`` is true.
    func startsFrom(_ value: JSONValue) -> Bool {
        if value.isEmptyContainer { return takesElements && value == .array([]) }
        return switch merge {
        case .counter: value == .null
        case .union where reading == .bits: value == .null || BitField.elements(of: value) != nil
        default: true
        }
    }

    /// Whether the rule takes the elements of an array, so that the array is a leaf for it.
    var takesElements: Bool { (merge == .union || merge == .set) && reading != .bits }
}
