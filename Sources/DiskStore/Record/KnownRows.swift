import MergeCore

/// Rows that nearly every commit needs, as they are stored: a commit need not read what it is about to change.
///
/// Nobody else writes to the record (``HomeLock``), so what was read or written once is what stands there.
struct KnownRows {
    var profiles: [ProfileID: SQLiteRecord.ProfileRow] = [:]
    /// The numbers that stand for replicas.
    var replicas: [ReplicaID: Int64] = [:]

    /// Takes up what a transaction found and wrote, once it is stored.
    mutating func take(_ other: KnownRows) {
        profiles.merge(other.profiles) { $1 }
        replicas.merge(other.replicas) { $1 }
    }
}
