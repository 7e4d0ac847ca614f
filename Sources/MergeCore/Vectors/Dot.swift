/// Names one write of one replica, once, for ever (Preguiça et al., "Dotted Version Vectors", 2010).
///
/// All atoms written in one transaction (one save) share a dot.
public struct Dot: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Who wrote.
    public let replica: ReplicaID
    /// 1 for a replica's first write.
    public let sequence: UInt64

    /// Names a write.
    public init(replica: ReplicaID, sequence: UInt64) {
        self.replica = replica
        self.sequence = sequence
    }

    /// By replica, then by sequence: an order that all devices share, not one of time.
    public static func < (a: Dot, b: Dot) -> Bool {
        a.replica != b.replica ? a.replica < b.replica : a.sequence < b.sequence
    }

    /// The beginning of the replica and the sequence, for logs.
    public var description: String { "\(replica.hex.prefix(8)):\(sequence)" }
}
