/// What a JSON value is; the two booleans count as two kinds.
public enum JSONKind: UInt8, Hashable, Sendable {
    case null, `false`, `true`, number, string, array, object
}
