/// What a device has seen of a profile: per replica the highest sequence number, and a running hash of that replica's
/// writes up to it (Parker et al., "Detection of Mutual Inconsistency", 1983).
///
/// The hash is no part of the order. It lets a writer notice that somebody else writes under its replica id (a cloned
/// or rolled back record): the same sequence with another hash.
public struct VersionVector: Hashable, Sendable, CustomStringConvertible {
    /// One replica's progress.
    public struct Entry: Hashable, Sendable {
        /// The highest sequence number seen, from 1.
        public var sequence: UInt64
        /// The hash of all that the replica wrote up to it.
        public var history: UInt64

        /// A replica's progress from its two numbers.
        public init(sequence: UInt64, history: UInt64) {
            self.sequence = sequence
            self.history = history
        }
    }

    /// How two vectors relate. A partial order, hence not `Comparable`.
    public enum Relation: Hashable, Sendable {
        /// The left side has seen the same, less, more, or each side something that the other has not.
        case equal, before, after, concurrent
    }

    /// Progress by replica; replicas of which nothing was seen are not in it.
    public private(set) var entries: [ReplicaID: Entry]

    /// A vector that covers nothing.
    public init() { entries = [:] }

    /// A vector from its entries; those of sequence 0 are left out.
    public init(_ entries: [ReplicaID: Entry]) { self.entries = entries.filter { $0.value.sequence > 0 } }

    /// The highest sequence seen of `replica`; 0 when nothing was.
    public func sequence(of replica: ReplicaID) -> UInt64 { entries[replica]?.sequence ?? 0 }

    /// Whether a write was seen. O(1).
    public func covers(_ dot: Dot) -> Bool { sequence(of: dot.replica) >= dot.sequence }

    /// Whether all that the other one has seen was seen. O(entries of the other).
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

    /// The least vector that covers both. Commutative, associative, idempotent.
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

    /// Only the entries that `other` does not cover.
    public func beyond(_ other: VersionVector) -> VersionVector {
        VersionVector(entries.filter { other.sequence(of: $0.key) < $0.value.sequence })
    }

    /// Sets a replica's progress, also to less than before.
    public mutating func advance(_ replica: ReplicaID, to entry: Entry) { entries[replica] = entry }

    /// Replicas in ascending order, for everything that must not depend on hashing.
    public var sortedReplicas: [ReplicaID] { entries.keys.sorted() }

    /// Beginnings of the replicas with their sequences, in order, for logs.
    public var description: String {
        "{" + sortedReplicas.map { "\($0.hex.prefix(8)):\(entries[$0]!.sequence)" }.joined(separator: " ") + "}"
    }
}
