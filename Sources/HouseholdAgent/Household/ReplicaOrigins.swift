import MergeCore
import ProfileKeeping
import SyncProtocol

/// The device that owns each known replica.
struct ReplicaOrigins {
    static let notes = NoteSpace("replica")

    private var known: [ReplicaID: ReplicaOrigin] = [:]
    private var unstored = NoteChange()

    /// Reads the origins from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) throws(StorageFault) {
        // A few devices have a replica in every profile, so each key is read once, and kept once.
        var devices: [ArraySlice<UInt8>: DeviceKey] = [:]
        for (key, value) in notes {
            guard value.count > 17, let profile = ProfileID(bytes: value[1..<17]),
                let device = devices[value[17...]] ?? DeviceKey(value[17...]),
                let origin = ReplicaOrigin(device: device, profile: profile, slot: value[0]),
                key == Self.notes.key(origin.replica.hex)
            else {
                throw StorageFault(
                    .record, "the record holds an unreadable origin of a replica (\(key)); restore it from a backup")
            }
            devices[device.bytes[...]] = device
            known[origin.replica] = origin
        }
    }

    /// The devices that wrote in the saves here.
    var devices: Set<DeviceKey> { Set(known.values.map(\.device)) }

    subscript(replica: ReplicaID) -> ReplicaOrigin? { known[replica] }

    /// The notes that store origins.
    static func notes(of origins: [ReplicaOrigin]) -> NoteChange {
        var change = NoteChange()
        for origin in origins {
            change.set(notes.key(origin.replica.hex), [origin.slot] + origin.profile.bytes + origin.device.bytes)
        }
        return change
    }

    /// Adds an origin. The origin of another device's replica must be stored before: if it were known here and lost
    /// with a restart, the record would hold writes that no device accepts from this one any more.
    mutating func add(_ origin: ReplicaOrigin) { known[origin.replica] = origin }

    /// Adds the origin of a replica of this device. If its note cannot be stored, the next start finds out again which
    /// device owns the replica.
    mutating func addOwn(_ origin: ReplicaOrigin) {
        add(origin)
        unstored.add(Self.notes(of: [origin]))
    }

    /// The notes that the record does not have yet.
    mutating func takeUnstored() -> NoteChange { unstored.take() }
}
