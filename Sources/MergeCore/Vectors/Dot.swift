/// Names one write of one replica, once, for ever (Almeida et al., "Dotted Version Vectors", 2010).
///
/// All atoms written in one transaction (one save) share a dot.
public struct Dot: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let replica: ReplicaID
    /// 1 for a replica's first write.
    public let sequence: UInt64

    public init(replica: ReplicaID, sequence: UInt64) {
        self.replica = replica
        self.sequence = sequence
    }

    public static func < (a: Dot, b: Dot) -> Bool {
        a.replica != b.replica ? a.replica < b.replica : a.sequence < b.sequence
    }

    public var description: String { "\(replica.hex.prefix(8)):\(sequence)" }
}
