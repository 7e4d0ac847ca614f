public import LosslessJSON

/// What an atom says.
public enum AtomContent: Hashable, Sendable {
    /// ``AtomKind/latest``: the last written value; `nil` is a tombstone. ``AtomKind/rules`` uses it as well.
    case register(Stamp, JSONValue?)
    /// ``AtomKind/max`` and ``AtomKind/min``.
    case extremum(JSONValue)
    /// ``AtomKind/flag``.
    case flag(Bool)
    /// ``AtomKind/counter``, `sub` = replica: what that replica ever earned and spent.
    case tally(earned: ExactDecimal, spent: ExactDecimal)
    /// ``AtomKind/counter``, no `sub`: what the profile started from.
    case baseline(ExactDecimal)
    /// ``AtomKind/union``, `sub` = the element's canonical bytes: it is in the set, spelled so.
    case member(JSONValue)
    /// ``AtomKind/set`` and ``AtomKind/element``: a causal length; odd means present.
    case membership(length: UInt64, JSONValue)
    /// A kind this version does not know, byte for byte.
    case opaque([UInt8])
}
