import MergeCore

/// A backup that has still to be made, of the profile as it was before one of its last changes.
///
/// Its content is in the record, with a note that its backup is pending. Both became durable with the change itself.
/// So a change need not wait for its backup, and no crash loses the backup.
struct PendingBackup: Hashable, Sendable {
    /// The key of its note.
    let key: String
    /// The snapshot's number in the base history.
    let snapshot: Int64
    /// The date of the change.
    let time: WallTime
    /// The content of the snapshot.
    let bytes: [UInt8]
    /// Whether the note holds the content, because the base history has let the snapshot go.
    private(set) var isWhole = false
    /// The time to make the backup or to try again.
    var next: MonotonicTime

    init(of profile: ProfileID, snapshot: Int64, bytes: [UInt8], time: WallTime, next: MonotonicTime) {
        key = Self.notes.key(profile, "\(snapshot)")
        (self.snapshot, self.bytes, self.time, self.next) = (snapshot, bytes, time, next)
    }

    /// Reads a stored note; the backup is due at once, whatever the clock shows. `nil` where the bytes are no note, or
    /// the snapshot is not in the base history any more.
    init?(_ key: String, _ note: [UInt8], _ baseHistory: BaseHistory) {
        guard note.count >= Self.headSize else { return nil }
        let numbers = [note[..<8], note[8..<16]].map { Int64(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
        isWhole = note.count > Self.headSize
        guard let bytes = isWhole ? Array(note[Self.headSize...]) : baseHistory.bytes(of: numbers[0]) else {
            return nil
        }
        (self.key, self.bytes) = (key, bytes)
        (snapshot, time, next) = (numbers[0], WallTime(milliseconds: numbers[1]), .min)
    }

    static let notes = NoteSpace("pending-backup")
    private static let headSize = 16

    /// The stored form: the snapshot's number and the time, eight bytes each, most significant byte first; then the
    /// content, if the base history does not hold it.
    var note: [UInt8] {
        let head = [snapshot, time.milliseconds].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return isWhole ? head + bytes : head
    }

    /// Has the note hold the content from now on, where the base history does not hold it any more.
    mutating func keepContent(beyond baseHistory: BaseHistory) {
        if !baseHistory.holds(snapshot) { isWhole = true }
    }
}

extension NoteChange {
    /// Stores which backups are pending now.
    mutating func store(_ pending: [PendingBackup], after former: [PendingBackup]) {
        if pending == former { return }
        let keys = Set(pending.map(\.key))
        for item in former where !keys.contains(item.key) { delete(item.key) }
        let known = Dictionary(former.map { ($0.key, $0) }) { $1 }
        for item in pending where known[item.key]?.isWhole != item.isWhole { set(item.key, item.note) }
    }
}

extension Record {
    /// The notes of pending backups, by profile.
    func pendingBackups() throws(StorageFault) -> [ProfileID: [(key: String, note: [UInt8])]] {
        let space = PendingBackup.notes
        var found: [ProfileID: [(key: String, note: [UInt8])]] = [:]
        for (key, note) in try notes(in: space) {
            // An earlier Hearth had one note a profile, under the profile's own key.
            guard let profile = space.parts(key)?.profile ?? space.profile(key) else { continue }
            found[profile, default: []].append((key, note))
        }
        return found
    }
}
