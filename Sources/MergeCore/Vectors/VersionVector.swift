/// A version vector: which writes of a profile a device has seen. For each replica it holds the highest sequence
/// number, and a running hash of that replica's writes up to it (Parker et al., "Detection of Mutual Inconsistency",
/// 1983).
///
/// The hash has no part in the order. By it a writer notices that another device writes under its replica id, because a
/// record was cloned or rolled back: the same sequence number then has another hash.
public struct VersionVector: Hashable, Sendable, CustomStringConvertible {
    /// One replica's progress.
    public struct Entry: Hashable, Sendable {
        /// The highest sequence number seen, from 1.
        public var sequence: UInt64
        /// The running hash of everything that the replica wrote up to that number.
        public var history: UInt64

        /// Makes a replica's progress from its two numbers.
        public init(sequence: UInt64, history: UInt64) {
            self.sequence = sequence
            self.history = history
        }
    }

    /// How two vectors relate. A partial order, hence not `Comparable`.
    public enum Relation: Hashable, Sendable {
        /// The left side has seen the same (`equal`), less (`before`) or more (`after`) than the right side; or each
        /// has seen something that the other has not (`concurrent`).
        case equal, before, after, concurrent
    }

    /// The progress by replica. A replica without a write that was seen has no entry.
    public private(set) var entries: [ReplicaID: Entry]

    /// Makes a vector that covers nothing.
    public init() { entries = [:] }

    /// Makes a vector from its entries; entries with sequence 0 are left out.
    public init(_ entries: [ReplicaID: Entry]) { self.entries = entries.filter { $0.value.sequence > 0 } }

    /// The highest sequence number seen of `replica`; 0 if none was.
    public func sequence(of replica: ReplicaID) -> UInt64 { entries[replica]?.sequence ?? 0 }

    /// Whether this vector's owner has seen a write. O(1).
    public func covers(_ dot: Dot) -> Bool { sequence(of: dot.replica) >= dot.sequence }

    /// Whether this vector has seen everything that the other one has seen. O(entries of the other).
    public func covers(_ other: VersionVector) -> Bool {
        other.entries.allSatisfy { sequence(of: $0.key) >= $0.value.sequence }
    }

    /// Compares over the union of both sides' replicas. O(entries).
    public func relation(to other: VersionVector) -> Relation {
        switch (covers(other), other.covers(self)) {
        case (true, true): .equal
        case (true, false): .after
        case (false, true): .before
        case (false, false): .concurrent
        }
    }

    /// Joins another vector into this one: the result is the least vector that covers both. Commutative, associative,
    /// idempotent. At equal sequence numbers the larger hash stays. O(entries of the other).
    public mutating func join(_ other: VersionVector) {
        for (replica, theirs) in other.entries {
            guard let ours = entries[replica] else {
                entries[replica] = theirs
                continue
            }
            if (theirs.sequence, theirs.history) > (ours.sequence, ours.history) { entries[replica] = theirs }
        }
    }

    /// The least vector that covers both.
    public func joined(_ other: VersionVector) -> VersionVector {
        var result = self
        result.join(other)
        return result
    }

    /// The entries of this vector that `other` does not cover.
    public func beyond(_ other: VersionVector) -> VersionVector {
        VersionVector(entries.filter { other.sequence(of: $0.key) < $0.value.sequence })
    }

    /// Sets a replica's progress, even to less than before.
    public mutating func advance(_ replica: ReplicaID, to entry: Entry) { entries[replica] = entry }

    /// The replicas in ascending order, for everything that must not depend on the order of a dictionary.
    public var sortedReplicas: [ReplicaID] { entries.keys.sorted() }

    /// The first eight hex digits of each replica with its sequence, in order, for logs.
    public var description: String {
        "{" + sortedReplicas.map { "\($0.hex.prefix(8)):\(entries[$0]!.sequence)" }.joined(separator: " ") + "}"
    }
}
