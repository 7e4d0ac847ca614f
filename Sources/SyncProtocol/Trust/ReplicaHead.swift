package import MergeCore

/// A device's signed word how far it has written as one of its replicas: the number of the last write, and the history
/// up to it.
///
/// It goes along with every delta, whoever relays it. So nobody can say of another device that it wrote more than it
/// did, and a device that is shown its own signature for a write that it does not know has lost its record.
package enum ReplicaHead {
    /// 64 bytes by the device that writes as the replica.
    package static func signature(
        of replica: ReplicaID, at entry: VersionVector.Entry, by signer: some DeviceSigner
    ) -> [UInt8] {
        signer.signature(for: text(replica, entry))
    }

    package static func isValid(
        _ signature: [UInt8], of replica: ReplicaID, at entry: VersionVector.Entry, by device: DeviceKey
    ) -> Bool {
        device.isValid(signature: signature, for: text(replica, entry))
    }

    private static func text(_ replica: ReplicaID, _ entry: VersionVector.Entry) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth replica head 1")
        text.add(replica.bytes)
        text.add(entry.sequence)
        text.add(entry.history)
        return text.bytes
    }
}

/// What a receiver needs to believe in the writes of a replica: whose it is, and that device's word how far it goes.
package struct WriteProof: Hashable, Sendable {
    package let origin: ReplicaOrigin
    /// See ``ReplicaHead``.
    package let signature: [UInt8]

    package init(origin: ReplicaOrigin, signature: [UInt8]) {
        self.origin = origin
        self.signature = signature
    }
}
