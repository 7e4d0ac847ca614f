public import LosslessJSON

/// The content of an atom: what a write says of a place, or of one part of it.
public enum AtomContent: Hashable, Sendable {
    /// ``AtomKind/latest``: the last written value; `nil` is a tombstone. ``AtomKind/rules`` uses it as well.
    case register(Stamp, JSONValue?)
    /// ``AtomKind/max`` and ``AtomKind/min``.
    case extremum(JSONValue)
    /// ``AtomKind/flag``.
    case flag(Bool)
    /// ``AtomKind/counter``, `sub` = replica: what that replica ever earned and spent. `sub` = 25 bytes: what was taken
    /// back of one step, see `UndoPart`.
    case tally(earned: ExactDecimal, spent: ExactDecimal)
    /// ``AtomKind/counter``, no `sub`: the amount that the profile started with.
    case baseline(ExactDecimal)
    /// ``AtomKind/union``, `sub` = the element's canonical bytes: the element is in the set, spelled like this. With
    /// bits, `sub` is the bit's number as text.
    case member(JSONValue)
    /// ``AtomKind/set`` and ``AtomKind/element``: a causal length; odd means present.
    case membership(length: UInt64, JSONValue)
    /// ``AtomKind/choice`` and ``AtomKind/furthest``, `sub` = replica: the value that this replica wrote last (`nil` is
    /// a removal), and, for each replica, the sequence number up to which this value replaces that replica's. If the
    /// candidate was carried over, the entry of its own replica is the write that first made it.
    case candidate(Stamp, JSONValue?, replaced: [ReplicaID: UInt64])
    /// ``AtomKind/epoch``, `sub` = its id and its writer.
    case epoch(Epoch)
    /// ``AtomKind/order``, `sub` = the element: when the element was put at its position, and that position. The bytes
    /// of the positions give the order of the elements.
    case position(Stamp, [UInt8])
    /// ``AtomKind/removal``, `sub` = replica.
    case removal(Removal)
    /// The content of a kind that this version does not know, byte for byte.
    case opaque([UInt8])
}

/// The form of a content. An atom's key alone determines it.
enum AtomForm: UInt8, Hashable, Sendable {
    // The order of the cases decides between two contents of different forms under one key. Only a broken peer sends
    // two such contents.
    case opaque, register, extremum, flag, tally, baseline, member, membership, candidate, epoch, position, removal

    /// Whether such a content names writes of others that its writer had read.
    var namesReads: Bool { self == .removal || self == .candidate || self == .epoch }

    init(_ kind: AtomKind, isPart: Bool) {
        guard kind.isKnown else {
            self = .opaque
            return
        }
        switch kind.base {
        case .latest, .rules: self = .register
        case .max, .min: self = .extremum
        case .counter: self = isPart ? .tally : .baseline
        case .union: self = .member
        case .set, .element: self = .membership
        case .flag: self = .flag
        case .choice, .furthest: self = .candidate
        case .epoch: self = .epoch
        case .order: self = .position
        case .removal: self = .removal
        default: self = .opaque
        }
    }

    init(_ content: AtomContent) {
        switch content {
        case .register: self = .register
        case .extremum: self = .extremum
        case .flag: self = .flag
        case .tally: self = .tally
        case .baseline: self = .baseline
        case .member: self = .member
        case .membership: self = .membership
        case .candidate: self = .candidate
        case .epoch: self = .epoch
        case .position: self = .position
        case .removal: self = .removal
        case .opaque: self = .opaque
        }
    }
}
