package import MergeCore

/// A device's signature for its last write as one of its replicas: it covers the sequence number and the history hash.
///
/// It goes along with every delta, whichever device relays it. So no device can claim that another one wrote more than
/// it did. And a device that gets its own signature for a write that it does not know has lost its record.
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

/// The proof by which a receiver accepts the writes of a replica: the replica's origin, and its device's signature.
package struct WriteProof: Hashable, Sendable {
    package let origin: ReplicaOrigin
    /// See ``ReplicaHead``.
    package let signature: [UInt8]
    /// Whether the device is no member any more, and this device had its writes before it learned of that, or from a
    /// member that said so.
    package let isWithinCut: Bool

    package init(origin: ReplicaOrigin, signature: [UInt8], isWithinCut: Bool = false) {
        self.origin = origin
        self.signature = signature
        self.isWithinCut = isWithinCut
    }
}
