/// The kind of a JSON value. `true` and `false` are two kinds.
public enum JSONKind: UInt8, Hashable, Sendable {
    /// One of the seven kinds, named as RFC 8259 names them.
    case null, `false`, `true`, number, string, array, object
}
