import LosslessJSON

/// Why an atom's bytes cannot be read.
public struct AtomCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence, for people.
    public let description: String
}

/// The compact form of a content, used by the record, the wire and the running hash alike.
///
/// The kind (and whether `sub` is empty) says which form it is; integers are most significant byte first:
/// - latest, rules: 8 bytes stamp; then JSON text, or nothing for a tombstone
/// - max, min, union: JSON text
/// - counter: `earned spent` as two JSON numbers; the baseline as one
/// - flag: one byte, 0 or 1
/// - set, element: 8 bytes causal length, then JSON text
/// - choice, furthest: 8 bytes stamp; 2 bytes count of replicas, for each 16 bytes id and 8 bytes sequence number,
///   ascending by id; then JSON text, or nothing for a removal
/// - epoch: JSON text
/// - order: 8 bytes stamp; then the position, 1 to 255 bytes, the last of which is not 0
/// - removal: see ``Removal``
extension AtomContent {
    /// Most bytes one content may have.
    public static let byteLimit = 16 << 20

    /// The compact form, as `AtomContent+Coding.swift` describes it for each kind. O(size).
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .register(let stamp, let value):
            if case .number(let number)? = value {
                // A number is the most frequent content by far, so it takes one allocation only.
                bytes.reserveCapacity(8 + number.text.utf8.count)
                Self.add(stamp.rawValue, to: &bytes)
                bytes.append(contentsOf: number.text.utf8)
            } else {
                Self.add(stamp.rawValue, to: &bytes)
                if let value { bytes += value.jsonBytes }
            }
        case .extremum(let value), .member(let value): return value.jsonBytes
        case .flag(let truth): return [truth ? 1 : 0]
        case .tally(let earned, let spent): return Array("\(earned.text) \(spent.text)".utf8)
        case .baseline(let value): return Array(value.text.utf8)
        case .membership(let length, let value):
            Self.add(length, to: &bytes)
            bytes += value.jsonBytes
        case .candidate(let stamp, let value, let replaced):
            Self.add(stamp.rawValue, to: &bytes)
            let entries = replaced.sorted { $0.key < $1.key }.prefix(Self.replacedLimit)
            bytes += [UInt8(entries.count >> 8), UInt8(entries.count & 0xFF)]
            for entry in entries {
                bytes += entry.key.bytes
                Self.add(entry.value, to: &bytes)
            }
            if let value { bytes += value.jsonBytes }
        case .epoch(let epoch): return epoch.json.jsonBytes
        case .position(let stamp, let position):
            Self.add(stamp.rawValue, to: &bytes)
            bytes += position
        case .removal(let removal): return removal.encoded
        case .opaque(let bytes): return bytes
        }
        return bytes
    }

    /// Reads the form that `key` calls for; an unknown kind is kept as it is.
    ///
    /// - Throws: ``AtomCodingError`` for more than ``byteLimit`` bytes, for bytes that are not of that form, and for a
    ///   value that nests too deep at its place.
    public init(encoded bytes: [UInt8], key: AtomKey) throws(AtomCodingError) {
        guard bytes.count <= Self.byteLimit else {
            throw AtomCodingError(
                description: "the value at \(key.path.inOneLine) has \(bytes.count) bytes, more than \(Self.byteLimit)"
            )
        }
        guard let content = AtomContent(bytes[...], AtomForm(key.kind, isPart: !key.sub.isEmpty)), content.fits(key)
        else { throw Self.unreadable(key) }
        guard content.isWithinDepth(at: key.path) else {
            throw AtomCodingError(
                description: "the value at \(key.path.inOneLine.prefix(80)) is nested more than "
                    + "\(DocumentPath.stepLimit) deep"
            )
        }
        self = content
    }

    /// Whether ``init(encoded:key:)`` would read the bytes.
    static func check(_ bytes: [UInt8], key: AtomKey) throws(AtomCodingError) {
        if isPlain(bytes, AtomForm(key.kind, isPart: !key.sub.isEmpty)) { return }
        _ = try AtomContent(encoded: bytes, key: key)
    }

    /// Whether the bytes are a register with a short whole number: the most frequent content by far.
    static func isPlain(_ bytes: [UInt8], _ form: AtomForm) -> Bool {
        guard form == .register, bytes.count > 8, bytes.count < 27, bytes[8] != UInt8(ascii: "0") else { return false }
        for byte in bytes[8...] where byte < UInt8(ascii: "0") || byte > UInt8(ascii: "9") { return false }
        return true
    }

    /// Reads bytes of one form; `nil` when they are not of that form.
    init?(_ bytes: ArraySlice<UInt8>, _ form: AtomForm) {
        switch form {
        case .register:
            guard let stamp = Self.integer(bytes) else { return nil }
            guard bytes.count > 8 else {
                self = .register(Stamp(rawValue: stamp), JSONValue?.none)
                return
            }
            guard let value = Self.json(bytes.dropFirst(8)) else { return nil }
            self = .register(Stamp(rawValue: stamp), value)
        case .extremum:
            guard let value = Self.json(bytes) else { return nil }
            self = .extremum(value)
        case .member:
            guard let value = Self.json(bytes) else { return nil }
            self = .member(value)
        case .flag:
            guard bytes.count == 1, let byte = bytes.first, byte <= 1 else { return nil }
            self = .flag(byte == 1)
        case .membership:
            guard let length = Self.integer(bytes), let value = Self.json(bytes.dropFirst(8)) else { return nil }
            self = .membership(length: length, value)
        case .tally:
            guard let parts = Self.amounts(bytes, count: 2), !parts[0].isNegative, !parts[1].isNegative else {
                return nil
            }
            self = .tally(earned: parts[0], spent: parts[1])
        case .baseline:
            guard let parts = Self.amounts(bytes, count: 1) else { return nil }
            self = .baseline(parts[0])
        case .candidate:
            guard let candidate = Self.candidate(bytes) else { return nil }
            self = candidate
        case .epoch:
            guard let value = Self.json(bytes), let epoch = Epoch(json: value) else { return nil }
            self = .epoch(epoch)
        case .position:
            guard let stamp = Self.integer(bytes), bytes.count > 8, bytes.count <= 8 + Position.byteLimit,
                bytes.last != 0
            else { return nil }
            self = .position(Stamp(rawValue: stamp), Array(bytes.dropFirst(8)))
        case .removal:
            guard let removal = Removal(encoded: bytes) else { return nil }
            self = .removal(removal)
        case .opaque: self = .opaque(Array(bytes))
        }
    }

    /// Whether content and key belong together. An element of a set must be the one that its key names; otherwise two
    /// keys could show one element twice.
    private func fits(_ key: AtomKey) -> Bool {
        switch self {
        case .member(let value): value.canonicalBytes == key.sub
        case .membership(_, let value): key.kind != .set || value.canonicalBytes == key.sub
        case .candidate, .removal: key.sub.count == 16
        case .position: !key.sub.isEmpty
        case .epoch: key.path.version.place == .epochs && EpochKey(key.sub) != nil
        default: true
        }
    }

    private static func amounts(_ bytes: ArraySlice<UInt8>, count: Int) -> [ExactDecimal]? {
        guard bytes.count <= 4_200 else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == count else { return nil }
        let numbers = parts.compactMap { ExactDecimal(text: String(decoding: $0, as: UTF8.self)) }
        return numbers.count == count && numbers.allSatisfy(\.isCountable) ? numbers : nil
    }

    private static func candidate(_ bytes: ArraySlice<UInt8>) -> AtomContent? {
        guard let stamp = integer(bytes), bytes.count >= 10 else { return nil }
        var rest = bytes.dropFirst(8)
        let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        rest = rest.dropFirst(2)
        guard rest.count >= count * 24 else { return nil }
        var replaced: [ReplicaID: UInt64] = [:]
        var last: ReplicaID?
        for _ in 0..<count {
            guard let replica = ReplicaID(bytes: rest.prefix(16)), let sequence = integer(rest.dropFirst(16)) else {
                return nil
            }
            if let last, last >= replica { return nil }
            replaced[replica] = sequence
            last = replica
            rest = rest.dropFirst(24)
        }
        guard !rest.isEmpty else { return .candidate(Stamp(rawValue: stamp), JSONValue?.none, replaced: replaced) }
        guard let value = json(rest) else { return nil }
        return .candidate(Stamp(rawValue: stamp), value, replaced: replaced)
    }

    /// Most replicas one candidate can replace.
    static let replacedLimit = 65_535

    private static func add(_ value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func json(_ bytes: ArraySlice<UInt8>) -> JSONValue? { try? JSONValue(parsing: Array(bytes)) }

    private static func unreadable(_ key: AtomKey) -> AtomCodingError {
        AtomCodingError(description: "the value at \(key.path.inOneLine) is not what its rule holds")
    }
}
