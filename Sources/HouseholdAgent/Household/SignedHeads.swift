import MergeCore
import ProfileKeeping
import SyncProtocol

/// The signatures of all devices for the entries of each profile's vector (``ReplicaHead``). This device stores them to
/// prove to third devices that the writes it relays are genuine.
struct SignedHeads {
    /// A signature, and the entry for which it was made.
    struct Head: Hashable {
        let entry: VersionVector.Entry
        let signature: [UInt8]
    }

    static let notes = NoteSpace("head")

    private var known: [ProfileID: [ReplicaID: Head]] = [:]
    private var unstored = NoteChange()

    /// Reads the signatures from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) throws(StorageFault) {
        for (key, value) in notes {
            guard let (profile, name) = Self.notes.parts(key), let replica = ReplicaID(hex: name),
                value.count == 16 + Limits.signature
            else {
                throw StorageFault(
                    .record, "the record holds an unreadable signature (\(key)); restore it from a backup")
            }
            let entry = VersionVector.Entry(sequence: Self.number(value[..<8]), history: Self.number(value[8..<16]))
            known[profile, default: [:]][replica] = Head(entry: entry, signature: Array(value[16...]))
        }
    }

    subscript(replica: ReplicaID, in profile: ProfileID) -> Head? { known[profile]?[replica] }

    /// The signature for an entry of a profile's vector. A profile that was joined into another one is searched as
    /// well: a replica's writes are the same in both.
    func signature(
        for entry: VersionVector.Entry, of origin: ReplicaOrigin, in profile: ProfileID, or others: [ProfileID] = []
    ) -> [UInt8]? {
        for place in [profile, origin.profile] + others {
            if let head = known[place]?[origin.replica], head.entry == entry { return head.signature }
        }
        return nil
    }

    /// The notes that store signatures of one profile.
    static func notes(of heads: [ReplicaID: Head], in profile: ProfileID) -> NoteChange {
        var change = NoteChange()
        for (replica, head) in heads {
            let value = bytes(head.entry.sequence) + bytes(head.entry.history) + head.signature
            change.set(notes.key(profile, replica.hex), value)
        }
        return change
    }

    /// Adds signatures that were verified; those of other devices must be stored before.
    mutating func add(_ heads: [ReplicaID: Head], in profile: ProfileID) {
        known[profile, default: [:]].merge(heads) { $1 }
    }

    /// Adds signatures that are stored for another profile, because what they sign is in this one now as well.
    mutating func keep(_ heads: [ReplicaID: Head], in profile: ProfileID) {
        add(heads, in: profile)
        unstored.add(Self.notes(of: heads, in: profile))
    }

    /// The notes that the record does not have yet.
    mutating func takeUnstored() -> NoteChange { unstored.take() }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
