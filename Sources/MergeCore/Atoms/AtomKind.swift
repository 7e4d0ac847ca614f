/// The join that an atom obeys: the rule, and how values are read. The kind is part of the atom's key, so atoms written
/// under a former rule never mix with those of the current one.
///
/// Atoms of a kind that this version does not know are kept and relayed untouched, and shown nowhere.
public struct AtomKind: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number in keys and on the wire: five bits for the join, three for the reading.
    public let rawValue: UInt8

    /// Takes any number; ``isKnown`` says whether this version can do something with it.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Two kinds are equal if their raw values are; ``isKnown`` does not matter.
    public static func == (a: AtomKind, b: AtomKind) -> Bool { a.rawValue == b.rawValue }

    /// The last written value, for ``MergeRule/Merge/latest`` and for empty containers under any rule.
    public static let latest = AtomKind(rawValue: 0)
    /// The largest value.
    public static let max = AtomKind(rawValue: 1)
    /// The smallest value.
    public static let min = AtomKind(rawValue: 2)
    /// A counter: what one replica earned and spent; without a `sub`, the amount that the counter started with.
    public static let counter = AtomKind(rawValue: 3)
    /// An element of a set that only grows.
    public static let union = AtomKind(rawValue: 4)
    /// An element of a set, by causal length.
    public static let set = AtomKind(rawValue: 5)
    /// A flag: once it is true, it stays true.
    public static let flag = AtomKind(rawValue: 6)
    /// Whether a keyed element is a member of its array (a causal length, like ``set``).
    public static let element = AtomKind(rawValue: 8)
    /// The rules that travel with the profile.
    public static let rules = AtomKind(rawValue: 9)
    /// A candidate of a ``MergeRule/Merge/choice`` place. Each replica has one.
    public static let choice = AtomKind(rawValue: 7)
    /// A candidate of a ``MergeRule/Merge/furthest`` place. Each replica has one.
    public static let furthest = AtomKind(rawValue: 10)
    /// The announcement of an epoch: that a reset, a restore or an undo began.
    public static let epoch = AtomKind(rawValue: 11)
    /// The position of an element among the others, in a set, a union or an array of keyed elements. The path is the
    /// array's. The sub names the element: its canonical bytes (of a keyed element, those of its key), or, where they
    /// are more than 24, a zero byte and their 64-bit FNV-1a hash, most significant byte first.
    public static let order = AtomKind(rawValue: 12)
    /// The removal of a container with all in it by a replica's game. Each replica has one per container (see
    /// ``Removal``).
    public static let removal = AtomKind(rawValue: 13)

    init?(_ rule: MergeRule) {
        let base: AtomKind
        switch rule.merge {
        case .latest: base = .latest
        case .max: base = .max
        case .min: base = .min
        case .counter: base = .counter
        case .union: base = .union
        case .set: base = .set
        case .flag: base = .flag
        case .furthest: base = .furthest
        case .choice: base = .choice
        case .local: return nil
        }
        switch (base, rule.reading) {
        case (.max, .number?), (.min, .number?), (.counter, .number?): self.init(rawValue: base.rawValue | 0x20)
        case (.max, .date?), (.min, .date?):
            self.init(rawValue: base.rawValue | (rule.format == nil ? 0x40 : 0x60))
        case (.union, .bits?): self.init(rawValue: base.rawValue | 0x80)
        default: self = base
        }
    }

    /// The kind without its reading.
    public var base: AtomKind { AtomKind(rawValue: rawValue & 0x1F) }

    /// How values are read where their JSON type does not say it.
    public var reading: MergeRule.Reading? {
        switch rawValue & 0xE0 {
        case 0x20: .number
        case 0x40, 0x60: .date
        case 0x80: .bits
        default: nil
        }
    }

    /// Whether values are pairs of an ISO 8601 date and the spelling of the save. The date is there because a join must
    /// not depend on a format that only the rules know.
    var holdsDatePairs: Bool { rawValue & 0xE0 == 0x60 }

    /// Whether this version knows how to join and show atoms of this kind.
    public var isKnown: Bool {
        switch base {
        case .max, .min: rawValue & 0xE0 <= 0x60
        case .counter: rawValue & 0xE0 <= 0x20
        case .union: rawValue & 0xE0 == 0 || rawValue & 0xE0 == 0x80
        case .latest, .set, .flag, .element, .rules, .choice, .furthest, .epoch, .order, .removal: rawValue & 0xE0 == 0
        default: false
        }
    }

    /// Orders kinds by raw value, the same on every device.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
