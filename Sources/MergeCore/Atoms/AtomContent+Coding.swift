import LosslessJSON

/// Why an atom's bytes cannot be read.
public struct AtomCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

/// The compact form of a content, used by the record, the wire and the running hash alike.
///
/// The kind (and whether `sub` is empty) says which form it is:
/// - latest, rules: 8 bytes stamp, most significant first; then JSON text, or nothing for a tombstone
/// - max, min, union: JSON text
/// - counter: `earned spent` as two JSON numbers; the baseline as one
/// - flag: one byte, 0 or 1
/// - set, element: 8 bytes length, then JSON text
extension AtomContent {
    /// Most bytes one content may have.
    public static let byteLimit = 16 << 20

    public var encoded: [UInt8] {
        switch self {
        case .register(let stamp, let value): Self.bigEndian(stamp.rawValue) + (value?.jsonBytes ?? [])
        case .extremum(let value), .member(let value): value.jsonBytes
        case .flag(let truth): [truth ? 1 : 0]
        case .tally(let earned, let spent): Array("\(earned.text) \(spent.text)".utf8)
        case .baseline(let value): Array(value.text.utf8)
        case .membership(let length, let value): Self.bigEndian(length) + value.jsonBytes
        case .opaque(let bytes): bytes
        }
    }

    /// Reads the form that `key` calls for; an unknown kind is kept as it is.
    public init(encoded bytes: [UInt8], key: AtomKey) throws(AtomCodingError) {
        guard bytes.count <= Self.byteLimit else {
            throw AtomCodingError(description: "the value at \(key.path) has \(bytes.count) bytes, more than \(Self.byteLimit)")
        }
        guard key.kind.isKnown else {
            self = .opaque(bytes)
            return
        }
        switch key.kind.base {
        case .latest, .rules:
            let stamp = Stamp(rawValue: try Self.integer(bytes, key))
            // Spelled out, because a bare `nil` would be the JSON value null here.
            self = .register(stamp, bytes.count == 8 ? JSONValue?.none : try Self.json(bytes[8...], key))
        case .max, .min: self = .extremum(try Self.json(bytes[...], key))
        case .union: self = .member(try Self.element(bytes[...], key))
        case .flag:
            guard bytes == [0] || bytes == [1] else { throw Self.unreadable(key) }
            self = .flag(bytes == [1])
        case .set: self = .membership(length: try Self.integer(bytes, key), try Self.element(bytes[8...], key))
        case .element: self = .membership(length: try Self.integer(bytes, key), try Self.json(bytes[8...], key))
        default: self = try Self.counter(bytes, key)
        }
    }

    private static func counter(_ bytes: [UInt8], _ key: AtomKey) throws(AtomCodingError) -> AtomContent {
        guard bytes.count <= 4_200 else { throw unreadable(key) }
        let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { ExactDecimal(text: String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == parts.count, numbers.count == (key.sub.isEmpty ? 1 : 2),
            numbers.allSatisfy(\.isCountable)
        else { throw unreadable(key) }
        guard !key.sub.isEmpty else { return .baseline(numbers[0]) }
        guard !numbers[0].isNegative, !numbers[1].isNegative else { throw unreadable(key) }
        return .tally(earned: numbers[0], spent: numbers[1])
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
    }

    private static func integer(_ bytes: [UInt8], _ key: AtomKey) throws(AtomCodingError) -> UInt64 {
        guard bytes.count >= 8 else { throw unreadable(key) }
        return bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func json(_ bytes: ArraySlice<UInt8>, _ key: AtomKey) throws(AtomCodingError) -> JSONValue {
        do {
            return try JSONValue(parsing: Array(bytes))
        } catch {
            throw unreadable(key)
        }
    }

    /// An element of a set must be the one that its key names, or two keys would show one element twice.
    private static func element(_ bytes: ArraySlice<UInt8>, _ key: AtomKey) throws(AtomCodingError) -> JSONValue {
        let value = try json(bytes, key)
        guard value.canonicalBytes == key.sub else { throw unreadable(key) }
        return value
    }

    private static func unreadable(_ key: AtomKey) -> AtomCodingError {
        AtomCodingError(description: "the value at \(key.path) is not what its rule holds")
    }
}
