/// Why a stored state cannot be read: one sentence.
public struct StateCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence, for people.
    public let description: String
}

/// A whole state as bytes, for files and snapshots.
///
/// The form is columnar: neighbours in one column are similar, so that any general compressor finds the repetitions.
/// Integers are LEB128; "since" marks the zigzag difference from the number before.
/// - `HearthS`, one byte version (1)
/// - replicas (count, 16 bytes each); epochs (count, 33 bytes each); vector (count; replica, sequence, 8 bytes history)
/// - count of records, then the columns, each with its count of bytes before it:
///   1. keys: count of bytes shared with the key before, count of the other bytes, and those
///   2. places: 0 and one byte kind for a place; 1 + the record number of its place for a part
///   3. dots: 0 for none, else 1 + replica; sequence since; epoch (0 for none)
///   4. stamps: for contents that begin with 8 bytes of a number, that number since
///   5. counts of the other bytes of the contents
///   6. those bytes
extension ProfileState {
    private static let magic = Array("HearthS".utf8) + [1]

    /// The state in the form above. O(n).
    public var encoded: [UInt8] {
        var whole = ByteWriter()
        whole.add(Self.magic)
        whole.add(varint: replicas.count)
        for replica in replicas { whole.add(replica.bytes) }
        let epochs = epochRegistry.all
        whole.add(varint: epochs.count)
        for epoch in epochs { whole.add(epoch.bytes) }
        // Whole ids, because a replica may occur in the vector alone.
        whole.add(varint: vector.entries.count)
        for replica in vector.sortedReplicas {
            let entry = vector.entries[replica]!
            whole.add(replica.bytes)
            whole.add(varint: entry.sequence)
            whole.add((0..<8).map { UInt8(truncatingIfNeeded: entry.history >> (56 - 8 * UInt64($0))) })
        }
        let stored = stored
        whole.add(varint: stored.table.recordCount)
        var columns = StateColumns()
        for number in 0..<stored.table.recordCount { columns.add(stored.table, number, of: stored.label) }
        for column in columns.all { whole.add(counted: column) }
        return whole.bytes
    }

    /// Reads a stored state. Every bound is checked before anything is allocated for it. O(n).
    public init(decoding bytes: [UInt8]) throws(StateCodingError) {
        self.init()
        guard bytes.starts(with: Self.magic.dropLast()) else {
            throw StateCodingError(description: "these bytes are no stored profile")
        }
        guard bytes.count > 8, bytes[7] == Self.magic[7] else {
            throw StateCodingError(description: "the profile was stored by a newer Hearth; update Hearth here")
        }
        var reader = ByteReader(bytes)
        _ = reader.take(8)
        guard decode(&reader) else {
            throw StateCodingError(description: "the stored profile is damaged; take another copy of it")
        }
    }

    private mutating func decode(_ reader: inout ByteReader) -> Bool {
        guard let replicas = reader.list(16, ReplicaID.init(bytes:)), adopt(replicas: replicas),
            let epochs = reader.list(EpochID.byteCount, EpochID.init(bytes:)), adopt(epochs: epochs),
            let entryCount = reader.count()
        else { return false }
        var entries: [ReplicaID: VersionVector.Entry] = [:]
        for _ in 0..<entryCount {
            guard let id = reader.take(16).flatMap(ReplicaID.init(bytes:)), let sequence = reader.varint(),
                let history = reader.take(8)
            else { return false }
            entries[id] = .init(sequence: sequence, history: history.reduce(0) { $0 << 8 | UInt64($1) })
        }
        guard let count = reader.count(), let columns = StateColumns.Reader(&reader), reader.isAtEnd else {
            return false
        }
        guard take(count, columns, replicas: replicas.count, epochs: epochs.count) else { return false }
        finishDecoding(VersionVector(entries))
        return true
    }
}
