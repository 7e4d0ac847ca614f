import MergeCore
import ProfileKeeping
import SyncProtocol

/// The certificates of all known replicas: which device writes as which replica. A device signs each of its replicas
/// once, and the certificate is kept for good.
struct Certificates {
    static let notes = NoteSpace("replica")

    private var known: [ReplicaID: ReplicaCertificate] = [:]

    /// Reads the certificates from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) throws(StorageFault) {
        for (key, value) in notes {
            guard let replica = Self.notes.name(key).flatMap({ ReplicaID(hex: $0) }), value.count > 64,
                let device = DeviceKey(value[64...])
            else {
                throw StorageFault(
                    .record, "the record holds an unreadable certificate (\(key)); restore it from a backup")
            }
            known[replica] = ReplicaCertificate(replica: replica, device: device, signature: Array(value[..<64]))
        }
    }

    subscript(replica: ReplicaID) -> ReplicaCertificate? { known[replica] }

    /// The notes that store a certificate.
    static func notes(of certificate: ReplicaCertificate) -> NoteChange {
        NoteChange(notes.key(certificate.replica.hex), certificate.signature + certificate.device.bytes)
    }

    /// Adds a certificate that was verified. Another device's certificate must be stored before: if it were known here
    /// and lost with a restart, the record would hold writes that nobody takes from this device any more.
    mutating func add(_ certificate: ReplicaCertificate) { known[certificate.replica] = certificate }
}
