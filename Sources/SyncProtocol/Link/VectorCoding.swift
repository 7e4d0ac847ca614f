import MergeCore

/// Reads and writes the entries of version vectors on the wire.
enum VectorCoding {
    /// All entries of a vector, replicas ascending.
    static func write(_ vector: VersionVector, _ names: inout OutgoingNames) -> [WireEntry] {
        vector.sortedReplicas.map { replica in
            var entry = WireEntry()
            let (number, bytes) = names.replica(replica)
            entry.replica = number
            if !bytes.isEmpty { entry.replicaID = bytes.wire }
            entry.sequence = vector.entries[replica]?.sequence ?? 0
            entry.history = vector.entries[replica]?.history ?? 0
            return entry
        }
    }

    /// One entry as it was read.
    struct Read {
        let replica: ReplicaID
        let entry: VersionVector.Entry
        /// Whether the entry came with its history; else the history is 0.
        let hasHistory: Bool
        /// The sequence number after which a delta begins for this replica.
        let after: UInt64
    }

    /// - Parameter isDelta: Whether the entries are a delta's, which may leave out the history where it spans a single
    ///   write.
    static func read(
        _ entries: [WireEntry], _ names: inout IncomingNames, isDelta: Bool = false
    ) throws(ProtocolFault) -> [Read] {
        guard entries.count <= Limits.vectorEntries else {
            throw ProtocolFault("a vector has \(entries.count) entries, more than \(Limits.vectorEntries)")
        }
        var result: [Read] = []
        result.reserveCapacity(entries.count)
        for entry in entries {
            let replica = try names.replica(entry.replica, entry.replicaID)
            if let last = result.last, !(last.replica < replica) {
                throw ProtocolFault("the replicas of a vector are not in ascending order")
            }
            guard (1...Limits.sequence).contains(entry.sequence) else {
                throw ProtocolFault("a vector claims the sequence number \(entry.sequence)")
            }
            guard entry.before < entry.sequence else {
                throw ProtocolFault("a delta spans \(entry.before) writes before number \(entry.sequence)")
            }
            guard entry.hasHistory || isDelta && entry.before == 0 else {
                throw ProtocolFault("the history of a vector's entry is missing")
            }
            let read = VersionVector.Entry(sequence: entry.sequence, history: entry.history)
            result.append(
                Read(
                    replica: replica, entry: read, hasHistory: entry.hasHistory,
                    after: entry.sequence - 1 - entry.before))
        }
        return result
    }

    static func vector(_ entries: [Read]) -> VersionVector {
        VersionVector(Dictionary(uniqueKeysWithValues: entries.map { ($0.replica, $0.entry) }))
    }
}
