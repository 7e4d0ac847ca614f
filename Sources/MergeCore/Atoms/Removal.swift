/// What a game removed with a container: every write below it that the game had read.
///
/// One a container and replica, like a candidate of a choice. What was written apart is not covered: it brings the
/// container back, whole. What a game writes anew after it knew of the removal does not: then the removal is *final*
/// for what it covered.
public struct Removal: Hashable, Sendable {
    /// Up to which write of every replica the container is gone.
    public var seen: [ReplicaID: UInt64]
    /// The part of it that does not come back whatever is written there.
    public var final: [ReplicaID: UInt64]
    /// One more with every write of its replica: the larger one stands.
    public var number: UInt64

    /// What a replica says of a container.
    public init(seen: [ReplicaID: UInt64] = [:], final: [ReplicaID: UInt64] = [:], number: UInt64 = 0) {
        (self.seen, self.final, self.number) = (seen, final, number)
    }

    /// 8 bytes number; then twice (seen, final) 2 bytes count of replicas, for each 16 bytes id and 8 bytes sequence
    /// number, ascending by id.
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

    /// The least that covers both.
    mutating func join(_ other: Self) { merge(other, uniquingKeysWith: Swift.max) }
}
