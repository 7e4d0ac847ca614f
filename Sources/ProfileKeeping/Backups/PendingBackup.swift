import MergeCore

/// A backup that has still to be made, of the profile as it was before its last change.
///
/// The snapshot is in the record, with a note that its backup is pending. Both became durable with the change itself.
/// So a change need not wait for its backup, and no crash loses the backup.
struct PendingBackup: Hashable, Sendable {
    /// The snapshot's number in the base history.
    var snapshot: Int64
    /// The date of the change.
    var time: WallTime
    /// The content of the snapshot.
    var bytes: [UInt8]
    /// The time to make the backup or to try again.
    var next: MonotonicTime

    init(snapshot: Int64, bytes: [UInt8], time: WallTime, next: MonotonicTime) {
        (self.snapshot, self.bytes, self.time, self.next) = (snapshot, bytes, time, next)
    }

    /// Reads a stored note; the backup is due at once, whatever the clock shows. `nil` where the bytes are no note, or the snapshot is not in the base history any more.
    init?(_ note: [UInt8], _ baseHistory: BaseHistory) {
        guard note.count == 16 else { return nil }
        let numbers = [note[..<8], note[8...]].map { Int64(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
        guard let bytes = baseHistory.bytes(of: numbers[0]) else { return nil }
        self.init(snapshot: numbers[0], bytes: bytes, time: WallTime(milliseconds: numbers[1]), next: .min)
    }

    /// The stored form, sixteen bytes: the snapshot's number and the time, most significant byte first.
    var note: [UInt8] {
        [snapshot, time.milliseconds].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
}
