package import MergeCore

/// The position of a profile's history: the number of its newest step and the bytes so far.
package struct HistoryMark: Hashable, Sendable {
    /// The number of the newest step; 0 where there was none yet. A number is never used again, even if its step is
    /// gone.
    package var number: Int64
    /// The bytes of all steps up to this one, removed steps included.
    package var bytes: Int64

    package init(number: Int64 = 0, bytes: Int64 = 0) { (self.number, self.bytes) = (number, bytes) }
}

/// One step of a profile's history as it is stored.
package struct HistoryRow: Hashable, Sendable {
    /// Most steps that are kept of a profile.
    package static let countLimit: Int64 = 1_000
    /// A step is removed when those after it have this many bytes. With that step, a profile keeps 4 MiB at most.
    package static let byteLimit: Int64 = 4 << 20 - Int64(HistoryEntry.byteLimit)

    package var mark: HistoryMark
    /// When it happened on this device.
    package var time: WallTime
    package var origin: HistoryEntry.Origin
    /// The replica with the most changes in the step. Of a step without ``changes`` it is only the replica of this device.
    package var writer: ReplicaID
    /// The changes, as ``HistoryEntry/encodedChanges`` gives them. Empty for the first step of a profile where they follow
    /// from the atoms with which it came (``StoredPart/arrival``): to find them out costs more than all else that is done
    /// with a profile which comes, and few are ever looked at.
    package var changes: [UInt8]

    package init(
        mark: HistoryMark, time: WallTime, origin: HistoryEntry.Origin, writer: ReplicaID, changes: [UInt8]
    ) {
        (self.mark, self.time, self.origin, self.writer, self.changes) = (mark, time, origin, writer, changes)
    }

    /// Whether an older step has to go now that this one exists. If so, all steps before that one have to go too.
    package func outlives(_ older: HistoryMark) -> Bool {
        older.number <= mark.number - Self.countLimit || older.bytes <= mark.bytes &- Self.byteLimit
    }
}
