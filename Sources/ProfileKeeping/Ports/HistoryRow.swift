package import MergeCore

/// How far a profile's history has come.
package struct HistoryMark: Hashable, Sendable {
    /// The number of its newest step; 0 where there was none yet. Never used again, also where the step is gone.
    package var number: Int64
    /// Bytes of all steps up to this one, those included that are gone.
    package var bytes: Int64

    package init(number: Int64 = 0, bytes: Int64 = 0) { (self.number, self.bytes) = (number, bytes) }
}

/// One step of a profile's history as it is stored.
package struct HistoryRow: Hashable, Sendable {
    /// Most steps that are kept of a profile.
    package static let countLimit: Int64 = 1_000
    /// A step goes when those after it have so many bytes. With that step itself a profile keeps 4 MiB at most.
    package static let byteLimit: Int64 = 4 << 20 - Int64(HistoryEntry.byteLimit)

    package var mark: HistoryMark
    /// Milliseconds since 1970.
    package var time: Int64
    package var origin: HistoryEntry.Origin
    /// Who wrote most of it.
    package var writer: ReplicaID
    /// ``HistoryEntry/encodedChanges``.
    package var changes: [UInt8]

    package init(
        mark: HistoryMark, time: Int64, origin: HistoryEntry.Origin, writer: ReplicaID, changes: [UInt8]
    ) {
        (self.mark, self.time, self.origin, self.writer, self.changes) = (mark, time, origin, writer, changes)
    }

    /// Whether an older step has to go now that this one is there. If one has, those before it have.
    package func outlives(_ older: HistoryMark) -> Bool {
        older.number <= mark.number - Self.countLimit || older.bytes <= mark.bytes &- Self.byteLimit
    }
}
