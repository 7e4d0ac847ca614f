import MergeCore

/// A cache of rows that nearly every commit needs, as they are stored, so that a commit need not read what it changes.
///
/// No other process writes to the record (``HomeLock``), so a row that was read or written once is still stored like
/// that.
struct KnownRows {
    var profiles: [ProfileID: SQLiteRecord.ProfileRow] = [:]
    /// The row numbers of replicas.
    var replicas: [ReplicaID: Int64] = [:]

    /// Adds the rows that a transaction has read and written, once it is stored.
    mutating func take(_ other: KnownRows) {
        profiles.merge(other.profiles) { $1 }
        replicas.merge(other.replicas) { $1 }
    }
}
