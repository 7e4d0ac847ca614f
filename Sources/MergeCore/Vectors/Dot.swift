/// The name of one write of one replica, never used again (Preguiça et al., "Dotted Version Vectors", 2010).
///
/// All atoms written in one transaction (one save) share a dot.
public struct Dot: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The replica that wrote.
    public let replica: ReplicaID
    /// The number of the write, 1 for the replica's first one.
    public let sequence: UInt64

    /// Makes the name of a write.
    public init(replica: ReplicaID, sequence: UInt64) {
        self.replica = replica
        self.sequence = sequence
    }

    /// The order by replica, then by sequence. All devices share it; it says nothing about time.
    public static func < (a: Dot, b: Dot) -> Bool {
        a.replica != b.replica ? a.replica < b.replica : a.sequence < b.sequence
    }

    /// The first eight hex digits of the replica and the sequence, for logs.
    public var description: String { "\(replica.hex.prefix(8)):\(sequence)" }
}
