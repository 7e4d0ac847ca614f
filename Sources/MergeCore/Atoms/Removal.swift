/// The removal of a container by one replica's game. It covers every write below the container that the game had read.
///
/// Each replica has one per container, like a candidate of a choice. A concurrent write is not covered: it brings the
/// whole container back. A game that knew of the removal may write in the container later. That write does not bring
/// back what the removal covered: the removal is *final* then.
public struct Removal: Hashable, Sendable {
    /// For each replica, the sequence number up to which its writes in the container are removed.
    public var seen: [ReplicaID: UInt64]
    /// The part of ``seen`` that stays removed, whatever is written in the container later.
    public var final: [ReplicaID: UInt64]
    /// The number of this removal's version: every write of its replica adds 1. The join takes the larger one.
    public var number: UInt64

    /// A removal from its parts.
    public init(seen: [ReplicaID: UInt64] = [:], final: [ReplicaID: UInt64] = [:], number: UInt64 = 0) {
        (self.seen, self.final, self.number) = (seen, final, number)
    }

    /// The encoded form: 8 bytes number; then twice (seen, final) 2 bytes count of replicas, for each 16 bytes id and 8
    /// bytes sequence number, ascending by id.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        Self.add(number, to: &bytes)
        for reads in [seen, final] {
            let entries = reads.sorted { $0.key < $1.key }.prefix(Self.limit)
            bytes += [UInt8(entries.count >> 8), UInt8(entries.count & 0xFF)]
            for entry in entries {
                bytes += entry.key.bytes
                Self.add(entry.value, to: &bytes)
            }
        }
        return bytes
    }

    /// `nil` where the bytes are no removal.
    init?(encoded bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func integer() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func reads() -> [ReplicaID: UInt64]? {
            guard rest.count >= 2 else { return nil }
            let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            guard rest.count >= count * 24 else { return nil }
            var result: [ReplicaID: UInt64] = [:]
            var last: ReplicaID?
            for _ in 0..<count {
                guard let replica = ReplicaID(bytes: rest.prefix(16)) else { return nil }
                if let last, last >= replica { return nil }
                rest = rest.dropFirst(16)
                result[replica] = integer()
                last = replica
            }
            return result
        }
        guard let number = integer(), let seen = reads(), let final = reads(), rest.isEmpty else { return nil }
        self.init(seen: seen, final: final, number: number)
    }

    /// Most replicas one can name.
    private static let limit = 65_535

    private static func add(_ value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension [ReplicaID: UInt64] {
    /// Whether a write is among those read.
    func covers(_ dot: Dot) -> Bool { self[dot.replica, default: 0] >= dot.sequence }

    func covers(_ other: Self) -> Bool { other.allSatisfy { self[$0.key, default: 0] >= $0.value } }

    /// Takes the larger sequence number of each replica: the result is the least that covers both.
    mutating func join(_ other: Self) { merge(other, uniquingKeysWith: Swift.max) }
}
