package import MergeCore

/// Some of the last writes of a replica of this device, each with its history hash. What other devices say of this
/// device's writes ends with one of them; if not, it is not this record that was told (it was set back since).
struct OwnEnds: Hashable, Sendable {
    static let notes = NoteSpace("written")
    /// Sequence numbers for which one note has the ends. So a write stores no more than 1 KiB of them.
    private static let span: UInt64 = 64
    /// Notes that are kept of a replica: the ends of its last 4,096 writes.
    private static let kept: UInt64 = 64

    /// The key of the note.
    let key: String
    private var ends: [VersionVector.Entry] = []

    /// Reads the note with a key. Of one that cannot be read nothing is known.
    init(_ key: String, _ note: [UInt8]?) {
        self.key = key
        guard let note, note.count % 16 == 0 else { return }
        ends = stride(from: 0, to: note.count, by: 16).map { start in
            VersionVector.Entry(
                sequence: Self.number(note[start..<start + 8]), history: Self.number(note[start + 8..<start + 16]))
        }
    }

    var note: [UInt8] { ends.flatMap { Self.bytes($0.sequence) + Self.bytes($0.history) } }

    func contains(_ end: VersionVector.Entry) -> Bool { ends.contains(end) }

    mutating func add(_ end: VersionVector.Entry) {
        // A record that was set back writes the same numbers again.
        ends.removeAll { $0.sequence >= end.sequence }
        ends.append(end)
    }

    /// The key of the note that has the end of a write.
    static func key(_ profile: ProfileID, _ replica: ReplicaID, at sequence: UInt64) -> String {
        key(profile, replica, number: sequence / span)
    }

    /// The key of the note that a write makes superfluous; `nil` for none.
    static func formerKey(_ profile: ProfileID, _ replica: ReplicaID, at sequence: UInt64) -> String? {
        sequence / span < kept ? nil : key(profile, replica, number: sequence / span - kept)
    }

    private static func key(_ profile: ProfileID, _ replica: ReplicaID, number: UInt64) -> String {
        notes.key(profile, "\(replica.hex)-\(number)")
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension ProfileEngine {
    /// Whether this device's last write as a replica, at some time, was this one. Known of the last 4,096 writes of the
    /// replica as which it writes now.
    package func hasWritten(_ end: VersionVector.Entry, as replica: ReplicaID, in id: ProfileID) -> Bool {
        guard let profile = profiles[id], profile.replica == replica else { return false }
        if profile.vector.entries[replica] == end { return true }
        let key = OwnEnds.key(id, replica, at: end.sequence)
        if let ends = profile.ownEnds, ends.key == key { return ends.contains(end) }
        return OwnEnds(key, try? store.note(key)).contains(end)
    }

    /// Notes this device's last write, if it is new. The note is stored in one transaction with the write. A former note
    /// that cannot be read is written anew: what it held only lets others ask about it in vain.
    func noteEnd(of profile: inout KeptProfile, in notes: inout NoteChange) {
        let (id, replica) = (profile.id, profile.replica)
        let former = profiles[id]?.vector.entries[replica]
        guard let end = profile.vector.entries[replica], end != former else { return }
        let key = OwnEnds.key(id, replica, at: end.sequence)
        var ends: OwnEnds
        if let known = profile.ownEnds, known.key == key {
            ends = known
        } else {
            ends = OwnEnds(key, try? store.note(key))
        }
        // Not every change is made here, so the write before may not be noted yet.
        if let former, former.sequence < end.sequence, !ends.contains(former),
            OwnEnds.key(id, replica, at: former.sequence) == key
        {
            ends.add(former)
        }
        ends.add(end)
        notes.set(key, ends.note)
        if let former = OwnEnds.formerKey(id, replica, at: end.sequence) { notes.delete(former) }
        profile.ownEnds = ends
    }
}
